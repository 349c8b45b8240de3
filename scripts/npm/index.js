'use strict';

// The packages that have a binary, by process.platform and process.arch.
const systems = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64'];

/**
 * The path of the openclaw-auth binary of this system.
 * Throws an error that says what to do where there is none.
 */
function binaryPath() {
  const system = `${process.platform}-${process.arch}`;
  if (!systems.includes(system)) {
    throw new Error(`no binary for ${system}; there are ${systems.join(', ')}; build it from source with Go`);
  }
  const name = `openclaw-auth-${system}`;
  const file = process.platform === 'win32' ? 'openclaw-auth.exe' : 'openclaw-auth';
  try {
    return require.resolve(`${name}/bin/${file}`);
  } catch {
    throw new Error(`package ${name} is missing; it is an optional dependency: install again without --omit=optional, and without a node_modules from another system`);
  }
}

module.exports = { binaryPath };
