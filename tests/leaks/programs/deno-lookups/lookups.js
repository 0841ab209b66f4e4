const inFlight = {};

// Requests for the same name share one promise. It should be deleted when it is settled.
export function lookUp(name, load) {
  inFlight[name] ??= load(name);
  return inFlight[name];
}
