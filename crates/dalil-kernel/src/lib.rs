//! Integer and float kernels that give the same bits on every processor.
