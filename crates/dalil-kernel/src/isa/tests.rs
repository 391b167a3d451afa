use super::*;

#[test]
fn the_portable_path_is_always_there_and_the_best_is_the_last() {
    let all: Vec<_> = InstructionSet::all().collect();
    assert_eq!(all.first(), Some(&InstructionSet::PORTABLE));
    assert_eq!(all.last(), Some(&InstructionSet::best()));
}
