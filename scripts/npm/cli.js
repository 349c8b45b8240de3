#!/usr/bin/env node
'use strict';

// Runs the binary of this system. The exit code is the binary's own; 2 is its
// code for what can't be done as asked.
const { binaryPath } = require('./index.js');

let program;
try {
  program = binaryPath();
} catch (error) {
  console.error(`openclaw-auth: ${error.message}`);
  process.exit(2);
}

// Node 22.15 and later can become the binary: nothing of Node stays in memory,
// and signals need no passing on.
if (process.execve && process.platform !== 'win32') {
  process.execve(program, [program, ...process.argv.slice(2)], process.env);
}

const child = require('node:child_process').spawn(program, process.argv.slice(2), { stdio: 'inherit' });
// A terminal signals the binary itself; this process waits for what it says.
process.on('SIGINT', () => {});
process.on('SIGQUIT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) {
  process.on(signal, () => child.kill(signal));
}
child.on('error', (error) => {
  console.error(`openclaw-auth: ${program}: ${error.message}`);
  process.exit(2);
});
child.on('exit', (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else {
    process.exit(code);
  }
});
