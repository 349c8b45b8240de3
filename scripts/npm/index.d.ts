/** The path of the openclaw-auth binary of this system; throws where there is none. */
export function binaryPath(): string;
