// Carries the precompiled header that every user of libtorch shares.
