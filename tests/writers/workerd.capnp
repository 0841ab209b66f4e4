# The configuration of workerd; the runner replaces PORT.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker", esModule = embed "worker.js")],
    compatibilityDate = "2024-09-23",
    compatibilityFlags = ["nodejs_compat"],
  ))],
  sockets = [(name = "http", address = "127.0.0.1:PORT", http = (), service = "main")],
);
