use proptest::prelude::*;

use super::proof::{self, MerkleProofError};
use super::{Frontier, MerkleTree, TreeHead, empty, leaf, node};
use crate::digest::Digest;

/// The leaves of the known answers that CT implementations share.
const LEAVES: [&[u8]; 8] = [
    b"",
    b"\x00",
    b"\x10",
    b"\x20\x21",
    b"\x30\x31",
    b"\x40\x41\x42\x43",
    b"\x50\x51\x52\x53\x54\x55\x56\x57",
    b"\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f",
];

/// Their roots at sizes 1 to 8.
const ROOTS: [&str; 8] = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

fn tree(size: u64) -> MerkleTree {
    (0..size).map(|n| leaf(&n.to_be_bytes())).collect()
}

/// The root as RFC 6962 writes it, by recursion over the leaves.
fn plain_root(leaves: &[Digest]) -> Digest {
    match leaves {
        [] => empty(),
        [one] => *one,
        more => {
            let (left, right) = more.split_at(more.len().next_power_of_two() / 2);
            node(&plain_root(left), &plain_root(right))
        }
    }
}

#[test]
fn the_known_roots_of_rfc_6962_come_out() {
    let mut tree = MerkleTree::default();
    assert_eq!(
        tree.head().root.hex(),
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    );
    for (bytes, root) in LEAVES.iter().zip(ROOTS) {
        tree.push(leaf(bytes));
        assert_eq!(tree.head().root.hex(), root);
    }
}

#[test]
fn every_leaf_of_every_size_is_proved_and_no_other_leaf_index_size_or_root_is() {
    let all = tree(33);
    for size in 1..=33 {
        let head = all.head_at(size).unwrap();
        for index in 0..size {
            let path = all.inclusion(index, size).unwrap();
            let this = leaf(&index.to_be_bytes());
            assert_eq!(proof::inclusion(&this, index, &path, &head), Ok(()));
            for other in (0..40).filter(|other| *other != index) {
                let moved = proof::inclusion(&this, other, &path, &head);
                assert!(moved.is_err(), "leaf {index} of {size} proved at {other}");
                let another = leaf(&other.to_be_bytes());
                assert!(proof::inclusion(&another, index, &path, &head).is_err());
                // A path alone does not fix the size; the root of another size does.
                let resized = all.head_at(other).filter(|_| other != size);
                let proved = |head: TreeHead| proof::inclusion(&this, index, &path, &head).is_ok();
                assert!(!resized.is_some_and(proved));
            }
        }
    }
}

#[test]
fn a_path_that_is_longer_shorter_or_changed_proves_nothing() {
    let all = tree(21);
    let head = all.head();
    for index in 0..21 {
        let this = leaf(&u64::to_be_bytes(index));
        let path = all.inclusion(index, 21).unwrap();
        let mut longer = path.clone();
        longer.push(head.root);
        assert_eq!(
            proof::inclusion(&this, index, &longer, &head),
            Err(MerkleProofError::Length { found: longer.len() })
        );
        for n in 0..path.len() {
            let mut shorter = path.clone();
            shorter.remove(n);
            assert_eq!(
                proof::inclusion(&this, index, &shorter, &head),
                Err(MerkleProofError::Length { found: shorter.len() })
            );
            let mut changed = path.clone();
            changed[n] = leaf(b"changed");
            assert!(matches!(
                proof::inclusion(&this, index, &changed, &head),
                Err(MerkleProofError::Root { .. })
            ));
        }
    }
}

#[test]
fn every_pair_of_sizes_is_consistent_and_no_forked_root_is() {
    let all = tree(40);
    let forked: MerkleTree = (0..40).map(|n: u64| leaf(&(n + n / 39).to_be_bytes())).collect();
    for new in 0..=40 {
        let new_head = all.head_at(new).unwrap();
        for old in 0..=new {
            let old_head = all.head_at(old).unwrap();
            let hashes = all.consistency(old, new).unwrap();
            assert_eq!(proof::consistency(&old_head, &new_head, &hashes), Ok(()));
            let wrong_old = TreeHead { root: leaf(b"wrong"), ..old_head };
            assert!(proof::consistency(&wrong_old, &new_head, &hashes).is_err());
            let wrong_new = TreeHead { root: leaf(b"wrong"), ..new_head };
            let accepted = proof::consistency(&old_head, &wrong_new, &hashes).is_ok();
            assert!(!accepted || old == 0, "{old} to {new}");
            if new == 40 && old > 0 {
                let forked = forked.head_at(new).unwrap();
                assert!(proof::consistency(&old_head, &forked, &hashes).is_err());
            }
            let mut longer = hashes.clone();
            longer.push(new_head.root);
            assert!(proof::consistency(&old_head, &new_head, &longer).is_err());
            for n in 0..hashes.len() {
                let mut shorter = hashes.clone();
                shorter.remove(n);
                assert!(proof::consistency(&old_head, &new_head, &shorter).is_err());
            }
        }
    }
}

#[test]
fn a_tree_has_no_proof_for_what_it_does_not_hold() {
    let all = tree(5);
    assert_eq!(all.head_at(6), None);
    assert_eq!(all.inclusion(5, 5), None);
    assert_eq!(all.inclusion(0, 6), None);
    assert_eq!(all.inclusion(0, 0), None);
    assert_eq!(all.consistency(3, 6), None);
    assert_eq!(all.consistency(4, 3), None);
}

#[test]
fn the_largest_sizes_neither_overflow_nor_run_on() {
    let root = leaf(b"root");
    let many = vec![root; 1000];
    for size in [u64::MAX, u64::MAX - 1, 1 << 63, (1 << 63) + 1, (1 << 63) - 1] {
        let head = TreeHead { size, root };
        for index in [0, 1, size / 2, size - 1, size] {
            assert!(proof::inclusion(&root, index, &many, &head).is_err());
            assert!(proof::inclusion(&root, index, &[], &head).is_err());
            let old = TreeHead { size: index, root };
            assert!(proof::consistency(&old, &head, &many).is_err());
        }
    }
}

#[test]
fn a_frontier_has_a_root_for_each_bit_of_its_size() {
    let digest = empty();
    assert_eq!(Frontier::new(0, Vec::new()), Some(Frontier::default()));
    assert_eq!(Frontier::new(5, vec![digest]), None);
    assert_eq!(Frontier::new(4, vec![digest, digest]), None);
    let mut full = Frontier::new(u64::MAX, vec![digest; 64]).unwrap();
    assert!(!full.push(digest));
    assert_eq!(full.size(), u64::MAX);
}

proptest! {
    /// A frontier has the heads of the tree, from wherever it starts.
    #[test]
    fn a_frontier_has_the_heads_of_its_tree(start in 0_u64..70, more in 0_u64..70) {
        let whole = tree(start + more);
        let mut frontier = Frontier::default();
        for n in 0..start {
            frontier.push(leaf(&n.to_be_bytes()));
        }
        let mut again = Frontier::new(start, frontier.roots().to_vec()).unwrap();
        for n in start..start + more {
            prop_assert_eq!(Some(again.head()), whole.head_at(n));
            again.push(leaf(&n.to_be_bytes()));
        }
        prop_assert_eq!(again.head(), whole.head());
        prop_assert_eq!(again.roots().len(), (start + more).count_ones() as usize);
    }

    #[test]
    fn a_tree_of_any_size_has_the_root_of_its_leaves(leaves in prop::collection::vec(any::<[u8; 4]>(), 0..300)) {
        let leaves: Vec<Digest> = leaves.iter().map(|bytes| leaf(bytes)).collect();
        let tree: MerkleTree = leaves.iter().copied().collect();
        prop_assert_eq!(tree.head(), TreeHead { size: leaves.len() as u64, root: plain_root(&leaves) });
    }

    #[test]
    fn checking_is_total(
        index: u64, size: u64, new: u64, seed: [u8; 32],
        proof in prop::collection::vec(any::<[u8; 32]>(), 0..80),
    ) {
        let proof: Vec<Digest> = proof.into_iter().map(Digest::from_bytes).collect();
        let root = Digest::from_bytes(seed);
        let _ = proof::inclusion(&root, index, &proof, &TreeHead { size, root });
        let _ = proof::consistency(&TreeHead { size, root }, &TreeHead { size: new, root }, &proof);
    }
}
