// Makes thumbnails of pictures, and keeps those that were used last.
import {LruCache} from './lru.js';

const thumbnails = new LruCache(300);

function makeThumbnail(name) {
  const pixels = new Uint8Array(64);
  for (let i = 0; i < pixels.length; i++) pixels[i] = name.charCodeAt(i % name.length);
  return {name, pixels, made: new Date(), tags: name.split('/')};
}

Deno.serve({port: Number(Deno.env.get('PORT')), hostname: '127.0.0.1'}, request => {
  const {pathname} = new URL(request.url);
  let thumbnail = thumbnails.get(pathname);
  if (!thumbnail) {
    thumbnail = makeThumbnail(pathname);
    thumbnails.set(pathname, thumbnail);
  }
  return new Response(thumbnail.pixels);
});
