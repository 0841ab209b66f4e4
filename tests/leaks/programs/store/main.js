import {createStore} from './store.js';

const people = new Map();
for (let i = 0; i < 8000; i++)
  people.set(i, {name: `Person ${i}`, picture: `/pictures/${i}.png`, isOnline: i % 2 === 0});

const store = createStore((state, action) => ({...state, [action.type]: action.value}), {unread: 0});
const list = document.getElementById('list');

// Draws a message again when the state changes. What `subscribe` returns is not used when the list is replaced.
function mountMessage(message) {
  const item = document.createElement('li');
  const view = {message, sender: people.get(message.sender), words: message.text.split(' ')};
  item.textContent = `${view.sender.name}: ${view.words.length} words`;
  store.subscribe(function updateMessage(state) {
    item.className = state.unread > view.message.number ? 'unread' : '';
  });
  return item;
}

let round = 0;
function refresh() {
  round++;
  const messages = Array.from({length: 15}, (_, i) => ({number: i, sender: (round * 15 + i) % people.size,
    text: `message ${i} of round ${round} with a few words`}));
  list.replaceChildren(...messages.map(mountMessage));
}

document.getElementById('refresh').addEventListener('click', refresh);
refresh();
