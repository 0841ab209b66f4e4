import http from 'node:http';
import {ThumbnailCache} from './cache.mjs';

const cache = new ThumbnailCache();
const albums = new Map();
for (let i = 0; i < 8000; i++)
  albums.set(`album-${i}`, {title: `Album ${i}`, pictures: [`a${i}.jpg`, `b${i}.jpg`, `c${i}.jpg`],
    isPublic: i % 3 > 0});

function showAlbum(name, response) {
  const album = albums.get(name);
  const thumbnails = album.pictures.map(picture => cache.get(picture));
  response.end(JSON.stringify(thumbnails.map(({name, width, palette}) => ({name, width, palette}))));
}

http.createServer((request, response) => showAlbum(request.url.split('/')[2], response))
  .listen(Number(process.env.PORT), '127.0.0.1');
