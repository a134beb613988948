# A machine with the unit: it starts, says that it is ready, refuses its own address, and reads a document.
{ pkgs }:
pkgs.testers.runNixOSTest {
  name = "sift";
  nodes.machine = {
    imports = [ ./module.nix ];
    services.sift.enable = true;
  };
  testScript = ''
    machine.wait_for_unit("sift.service")
    machine.wait_for_open_port(8787)
    machine.succeed("curl -sf 127.0.0.1:8788/readyz")
    answer = machine.succeed("curl -s 127.0.0.1:8787/v1/fetch -d '{\"url\": \"http://127.0.0.1:8788/healthz\"}'")
    assert "address not allowed" in answer, answer
  '';
}
