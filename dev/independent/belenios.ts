import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { installed } from './program.ts';

const program = installed('/usr/bin/belenios-tool');
/** Whether Debian's auditor of elections is there (package belenios-tool, version 2.0). */
export const beleniosIsInstalled = program !== null;

const run = promisify(execFile);
const group = ['--group', 'BELENIOS-2048'];

/** A folder in which belenios-tool works on one election. */
export class BeleniosFolder implements Disposable {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'portal-belenios-'));

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  write(name: string, text: string | Uint8Array): string {
    writeFileSync(path.join(this.folder, name), text);
    return name;
  }
  read(name: string): string {
    return readFileSync(path.join(this.folder, name), 'utf8').trimEnd();
  }
  names(ending: string): string[] {
    return readdirSync(this.folder)
      .filter(name => name.endsWith(ending))
      .sort();
  }

  /** Runs the tool; its output in lines. @throws when it refuses, with what it says */
  async tool(args: readonly string[], input = ''): Promise<string[]> {
    const running = run(program!, [...args], { cwd: this.folder, maxBuffer: 100_000_000 });
    // It may end before it has read anything.
    running.child.stdin!.on('error', () => {}).end(input);
    return (await running).stdout.trimEnd().split('\n');
  }

  /** Writes an archive as the one of this folder. */
  archive(uuid: string, bytes: Uint8Array): void {
    this.write(`${uuid}.bel`, bytes);
  }

  /** True if `election verify` accepts an archive. */
  async accepts(uuid: string, bytes: Uint8Array): Promise<boolean> {
    this.archive(uuid, bytes);
    try {
      await this.tool(['election', 'verify']);
      return true;
    } catch {
      return false;
    }
  }

  /** True if `election verify-diff` accepts an archive as a later state of another one. */
  async extends(uuid: string, earlier: Uint8Array, later: Uint8Array): Promise<boolean> {
    for (const [name, bytes] of Object.entries({ earlier, later })) {
      mkdirSync(path.join(this.folder, name), { recursive: true });
      this.write(path.join(name, `${uuid}.bel`), bytes);
    }
    try {
      await this.tool(['election', 'verify-diff', '--dir1', 'earlier', '--dir2', 'later']);
      return true;
    } catch {
      return false;
    }
  }

  /** Makes the ballot of a voter. */
  async ballot(credential: string, choices: readonly (readonly number[])[]): Promise<string> {
    this.write('credential', `${credential}\n`);
    this.write('choices', JSON.stringify(choices));
    const [text] = await this.tool(['election', 'generate-ballot', '--privcred', 'credential', '--ballot', 'choices']);
    return text!;
  }

  /** Makes the key of a trustee whose presence is needed: the public key as JSON, and the private one. */
  async singleKey(): Promise<{ key: string; file: string }> {
    await this.tool(['setup', 'generate-trustee-key', ...group]);
    const file = this.names('.privkey').at(-1)!;
    return { key: this.read(file.replace('.privkey', '.pubkey')), file };
  }

  /** A step of several trustees. */
  step(step: number, args: readonly string[] = [], input = ''): Promise<string[]> {
    return this.tool(['setup', 'generate-trustee-key-threshold', ...group, '--step', `${step}`, ...args], input);
  }

  /** Decrypts with the key of one trustee: both messages. */
  async decrypt(file: string, owner: number): Promise<[string, string]> {
    return (await this.tool(['election', 'decrypt', '--privkey', file, '--trustee-id', `${owner}`])) as [string, string];
  }
  async decryptTogether(seedFile: string, shareFile: string, owner: number): Promise<[string, string]> {
    const args = ['--key', seedFile, '--decryption-key', shareFile, '--trustee-id', `${owner}`];
    return (await this.tool(['election', 'decrypt-threshold', ...args])) as [string, string];
  }
}
