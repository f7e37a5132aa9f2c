// Has nothing but the hashes in go.sum; build.mjs downloads with them. Every go command can read this file.
module loadout-go-toolchain

go 1.16
