'use strict';

class Article {
  constructor(number) {
    this.number = number;
    this.title = `Article ${number}`;
    this.tags = [`group ${number % 40}`, `shelf ${number % 900}`];
    this.stock = {count: number % 13, reserved: 0};
  }
}

const articles = new Map();
for (let number = 0; number < 25000; number++) articles.set(number, new Article(number));

exports.find = number => articles.get(number);
exports.search = word => [...articles.values()].filter(article => article.title.endsWith(word));
