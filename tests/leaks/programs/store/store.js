export function createStore(reduce, state) {
  const subscribers = new Set();
  return {
    getState: () => state,
    dispatch(action) {
      state = reduce(state, action);
      for (const subscriber of subscribers) subscriber(state);
    },
    subscribe(subscriber) {
      subscribers.add(subscriber);
      return function unsubscribe() {
        subscribers.delete(subscriber);
      };
    },
  };
}
