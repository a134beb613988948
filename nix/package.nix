# The package: one binary.
{ lib, rustPlatform }:
rustPlatform.buildRustPackage {
  pname = "sift";
  version = "0.1.0";
  src = lib.cleanSource ../.;
  cargoLock.lockFile = ../Cargo.lock;
  buildType = "dist";
  # The contract tests start servers on loopback, which the build sandbox allows.
  cargoTestFlags = [ "--workspace" ];
  meta = {
    description = "Reads documents for AI agents";
    license = with lib.licenses; [ asl20 mit ];
    mainProgram = "sift";
  };
}
