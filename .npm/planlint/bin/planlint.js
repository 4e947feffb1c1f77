#!/usr/bin/env node
// Runs the planlint of this platform, which is a package of its own.
"use strict";
const { spawnSync } = require("node:child_process");

const name = `planlint-${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "planlint.exe" : "planlint";
let binary;
try {
  binary = require.resolve(`${name}/${file}`);
} catch {
  console.error(`planlint: the package ${name} is not installed; is there one for this platform, and were optional packages left out?`);
  process.exit(2);
}
const { status, signal, error } = spawnSync(binary, process.argv.slice(2), { stdio: "inherit" });
if (error) console.error(`planlint: ${error.message}`);
if (signal) process.kill(process.pid, signal);
process.exit(status ?? 2);
