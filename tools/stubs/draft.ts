import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Written files, relative to the root, and manual steps left. */
export type Written = { files: string[]; next: string[] };
/** Writes one kind of stub below a root; the words are those behind `npm run new <kind>`. */
export type Stub = (root: string, words: readonly string[]) => Promise<Written>;

/** The files of one call of `npm run new`: read, changed in memory, written together at the end. */
export class Draft {
  readonly root: string;
  readonly #texts = new Map<string, string>();
  constructor(root: string) {
    this.root = root;
  }
  exists(file: string): boolean {
    return this.#texts.has(file) || existsSync(path.join(this.root, file));
  }
  async read(file: string): Promise<string> {
    if (!this.exists(file)) throw new Error(`${file} does not exist.`);
    return this.#texts.get(file) ?? readFile(path.join(this.root, file), 'utf8');
  }
  /** Names of the files below a folder, from the root. */
  async below(folder: string): Promise<string[]> {
    const names = await readdir(path.join(this.root, folder), { recursive: true });
    return names.map(name => path.posix.join(folder, name.split(path.sep).join('/'))).sort();
  }
  create(file: string, text: string): void {
    if (this.exists(file)) throw new Error(`${file} is there already.`);
    this.#texts.set(file, text);
  }
  async change(file: string, change: (text: string) => string): Promise<void> {
    this.#texts.set(file, change(await this.read(file)));
  }
  async write(next: string[]): Promise<Written> {
    for (const [file, text] of this.#texts) {
      const place = path.join(this.root, file);
      await mkdir(path.dirname(place), { recursive: true });
      await writeFile(place, text);
    }
    return { files: [...this.#texts.keys()], next };
  }
}
