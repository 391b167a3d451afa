//! Proofs against an independent implementation of RFC 6962, in both directions.

#[cfg(test)]
mod tests {
    use ct_merkle::mem_backed_tree::MemoryBackedTree;
    use ct_merkle::{ConsistencyProof, InclusionProof, RootHash};
    use dalil_proof::digest::Digest;
    use dalil_proof::tree::proof;
    use dalil_proof::tree::{MerkleTree, TreeHead, leaf};
    use sha2::Sha256;

    type Oracle = MemoryBackedTree<Sha256, Vec<u8>>;

    fn bytes(n: u64) -> Vec<u8> {
        format!("record {n}").into_bytes()
    }

    fn oracle(size: u64) -> Oracle {
        let mut oracle = Oracle::new();
        (0..size).for_each(|n| oracle.push(bytes(n)));
        oracle
    }

    fn flat(hashes: &[Digest]) -> Vec<u8> {
        hashes.iter().flat_map(Digest::as_bytes).copied().collect()
    }

    fn digest(root: &RootHash<Sha256>) -> Digest {
        Digest::from_bytes(root.as_bytes().as_slice().try_into().unwrap())
    }

    #[track_caller]
    fn check_inclusion(ours: &MerkleTree, theirs: &Oracle, index: u64) {
        let size = theirs.len();
        let head = ours.head_at(size).unwrap();
        assert_eq!(head, TreeHead { size, root: digest(&theirs.root()) });
        let path = ours.inclusion(index, size).unwrap();
        let proved = theirs.prove_inclusion(usize::try_from(index).unwrap());
        assert_eq!(flat(&path), proved.as_bytes());
        proof::inclusion(&leaf(&bytes(index)), index, &path, &head).unwrap();
        let path = InclusionProof::<Sha256>::try_from_bytes(flat(&path)).unwrap();
        theirs.root().verify_inclusion(&bytes(index), index, &path).unwrap();
    }

    #[track_caller]
    fn check_consistency(ours: &MerkleTree, old: &Oracle, new: &Oracle) {
        let hashes = ours.consistency(old.len(), new.len()).unwrap();
        let added = usize::try_from(new.len() - old.len()).unwrap();
        assert_eq!(flat(&hashes), new.prove_consistency(added).as_bytes());
        let (before, after) = (ours.head_at(old.len()).unwrap(), ours.head_at(new.len()).unwrap());
        proof::consistency(&before, &after, &hashes).unwrap();
        let hashes = ConsistencyProof::<Sha256>::try_from_bytes(flat(&hashes)).unwrap();
        new.root().verify_consistency(&old.root(), &hashes).unwrap();
    }

    fn ours(size: u64) -> MerkleTree {
        (0..size).map(|n| leaf(&bytes(n))).collect()
    }

    #[test]
    fn every_inclusion_proof_up_to_70_leaves_agrees() {
        let ours = ours(70);
        for size in 1..=70 {
            let theirs = oracle(size);
            (0..size).for_each(|index| check_inclusion(&ours, &theirs, index));
        }
    }

    #[test]
    fn every_consistency_proof_up_to_70_leaves_agrees() {
        let ours = ours(70);
        let oracles: Vec<Oracle> = (0..=70).map(oracle).collect();
        for (n, old) in oracles.iter().enumerate().skip(1) {
            oracles.iter().skip(n).for_each(|new| check_consistency(&ours, old, new));
        }
    }

    #[test]
    fn larger_trees_agree_on_scattered_leaves_and_sizes() {
        let ours = ours(5000);
        // A fixed linear congruence scatters the sizes without chance.
        let mut next = 12_345_u64;
        for _ in 0..12 {
            next = next.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let (size, old) = ((next >> 33) % 4999 + 1, (next >> 13) % 4999 + 1);
            let (old, size) = (old.min(size), old.max(size));
            let theirs = oracle(size);
            check_consistency(&ours, &oracle(old), &theirs);
            for part in 0..16 {
                check_inclusion(&ours, &theirs, (size - 1) * part / 15);
            }
        }
    }
}
