// A chat whose rooms are made when somebody enters them.
import {ChatHub} from './hub.js';

const hub = new ChatHub();
const words = new Map();
for (let i = 0; i < 9000; i++)
  words.set(`word${i}`, {replacement: '*'.repeat(i % 9), severity: i % 3, languages: ['en']});

function clean(text) {
  return text.split(' ').map(word => words.get(word)?.replacement ?? word).join(' ');
}

Deno.serve({port: Number(Deno.env.get('PORT')), hostname: '127.0.0.1'}, request => {
  const [, name, member] = new URL(request.url).pathname.split('/');
  hub.enter(name, member);
  for (let i = 0; i < 4; i++) hub.say(name, member, clean(`hello ${name} word${i}`));
  hub.leave(name, member);
  return new Response('left');
});
