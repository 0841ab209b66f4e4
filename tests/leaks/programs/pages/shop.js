'use strict';
const article = document.getElementById('page');
const colours = Array.from({length: 20000}, (_, i) => ({code: i, name: `colour ${i}`, hex: `#${i.toString(16)}`}));

function loadPage(address) {
  const products = Array.from({length: 12}, (_, i) => ({
    title: `Product ${i} for ${address}`,
    prices: [i, i * 2, i * 3].map(net => ({net, gross: net * 1.19})),
    colour: colours[i * 7],
  }));
  return {address, products, loadedAt: new Date()};
}

function goTo(address) {
  const page = router.open(address, loadPage);
  article.replaceChildren(...page.products.map(product => {
    const heading = document.createElement('h2');
    heading.textContent = product.title;
    return heading;
  }));
}

window.addEventListener('hashchange', () => goTo(location.hash.slice(1)));
