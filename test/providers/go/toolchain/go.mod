// Has nothing but the hashes in go.sum; build.mjs downloads with them. Every go command can read this file.
module ofrep-provider-toolchain

go 1.16
