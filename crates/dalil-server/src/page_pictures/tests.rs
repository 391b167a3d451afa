use axum::body::Bytes;
use dalil_phrasebook::page_refusal;
use dalil_proof::digest::Digest;

use super::PagePictures;

#[test]
fn a_picture_is_kept_until_newer_ones_need_its_room() {
    let pictures = PagePictures::default();
    let (one, other) = (Digest::of(b"one"), Digest::of(b"other"));
    let large = || Ok(Bytes::from(vec![0; 10 << 20]));
    pictures.put(&one, 1, large());
    pictures.put(&one, 2, Err(page_refusal::damaged()));
    pictures.put(&other, 1, large());
    // The same page again takes no more room.
    pictures.put(&other, 1, large());
    let kept = |pictures: &PagePictures| {
        [(&one, 1), (&one, 2), (&other, 1), (&other, 2)].map(|(document, page)| {
            pictures.get(document, page).map(|one| one.map(|png| png.len()))
        })
    };
    let (size, why) = (Some(Ok(10 << 20)), Some(Err(page_refusal::damaged())));
    assert_eq!(kept(&pictures), [size.clone(), why.clone(), size.clone(), None]);
    pictures.put(&other, 2, large());
    assert_eq!(kept(&pictures), [size.clone(), why.clone(), size.clone(), size.clone()]);
    pictures.put(&other, 3, large());
    assert_eq!(kept(&pictures), [None, why, size.clone(), size]);
    pictures.forget();
    assert_eq!(kept(&pictures), [None, None, None, None]);
}
