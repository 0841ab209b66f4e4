'use strict';

// CHROMIUM is the path of a browser that is already installed.
module.exports = {
  timeout: 60_000,
  use: { launchOptions: { executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] } },
};
