# The hardened unit.
{ config, lib, pkgs, ... }:
let
  cfg = config.services.sift;
  format = pkgs.formats.toml { };
in
{
  options.services.sift = {
    enable = lib.mkEnableOption "sift, a reader of documents for agents";
    package = lib.mkOption { type = lib.types.package; default = pkgs.callPackage ./package.nix { }; };
    settings = lib.mkOption { type = format.type; default = { }; description = "The configuration file; see the README."; };
  };

  config = lib.mkIf cfg.enable {
    services.sift.settings = {
      cache.dir = lib.mkDefault "/var/cache/sift";
      # Both walls of the child have to stand here.
      pdf.sandbox = lib.mkDefault "require";
      telemetry.format = lib.mkDefault "json";
    };
    systemd.services.sift = {
      description = "sift";
      wantedBy = [ "multi-user.target" ];
      after = [ "network-online.target" ];
      wants = [ "network-online.target" ];
      serviceConfig = {
        ExecStart = "${lib.getExe cfg.package} --config ${format.generate "sift.toml" cfg.settings} serve";
        ExecReload = "${pkgs.coreutils}/bin/kill -HUP $MAINPID";
        Restart = "on-failure";
        RestartPreventExitStatus = "78";
        DynamicUser = true;
        CacheDirectory = "sift";
        CacheDirectoryMode = "0700";
        # Longer than the drain of a PDF under way.
        TimeoutStopSec = 75;
        MemoryMax = "1G";
        MemorySwapMax = 0;
        # A child that the kernel kills for its memory must not take the service with it.
        OOMPolicy = "continue";
        TasksMax = 256;
        LimitCORE = 0;
        NoNewPrivileges = true;
        PrivateTmp = true;
        PrivateDevices = true;
        ProtectSystem = "strict";
        ProtectHome = true;
        ProtectKernelTunables = true;
        ProtectKernelModules = true;
        ProtectControlGroups = true;
        ProtectClock = true;
        RestrictAddressFamilies = [ "AF_INET" "AF_INET6" "AF_UNIX" ];
        RestrictNamespaces = true;
        RestrictRealtime = true;
        LockPersonality = true;
        MemoryDenyWriteExecute = true;
        CapabilityBoundingSet = "";
        # The calls of the child's own confinement are named: older systemd has them in no group.
        SystemCallFilter = [ "@system-service" "landlock_create_ruleset" "landlock_add_rule" "landlock_restrict_self" "seccomp" ];
        # Refused calls fail, so that the child can do without; killing it would not let it.
        SystemCallErrorNumber = "EPERM";
        SystemCallArchitectures = "native";
        UnsetEnvironment = "http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY LD_PRELOAD";
      };
    };
  };
}
