//! Rules: numbers, units, dates, durations, negation, modality and names, compared so that a person can follow.
