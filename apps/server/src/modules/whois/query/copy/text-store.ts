/** Before each text: its slot and its length. */
const HEAD = 8;
const LINE_FEED = 10;

type Slab = { bytes: Buffer; used: number; live: number };

/**
 * Stores many texts outside the JavaScript heap, which the garbage collector walks repeatedly: in slabs, one after another. Each is found by its
 * slot, a small integer chosen by the owner.
 */
export class TextStore {
  readonly #slabs: (Slab | null)[] = [];
  readonly #slabBytes: number;
  #open = -1;
  /** By slot: the slab, and the offset of the text in it. */
  #slabOf = new Int32Array(1024).fill(-1);
  #startOf = new Uint32Array(1024);

  constructor(slabBytes = 16 * 2 ** 20) {
    this.#slabBytes = slabBytes;
  }

  /** Bytes of all slabs and indexes. */
  get bytes(): number {
    return this.#slabs.reduce((sum, slab) => sum + (slab?.bytes.length ?? 0), 0) + this.#slabOf.length * 8;
  }

  /** Stores a text under a slot, replacing the previous one. */
  put(slot: number, text: string): void {
    this.remove(slot);
    this.#append(slot, Buffer.from(text));
  }

  /** The text of an occupied slot. */
  get(slot: number): string {
    const { bytes, start, length } = this.#find(slot)!;
    return bytes.toString('utf8', start, start + length);
  }

  /** Bytes of the text of an occupied slot. */
  sizeOf(slot: number): number {
    return this.#find(slot)!.length;
  }

  /** The first line of the text of an occupied slot. */
  firstLine(slot: number): string {
    const { bytes, start, length } = this.#find(slot)!;
    const end = bytes.subarray(start, start + length).indexOf(LINE_FEED);
    return bytes.toString('utf8', start, end < 0 ? start + length : start + end);
  }

  remove(slot: number): void {
    const found = this.#find(slot);
    if (!found) return;
    const number = this.#slabOf[slot]!;
    this.#slabOf[slot] = -1;
    const slab = this.#slabs[number]!;
    slab.live -= HEAD + found.length;
    this.#tidy(number);
  }

  #find(slot: number): { bytes: Buffer; start: number; length: number } | null {
    const slab = this.#slabs[this.#slabOf[slot] ?? -1];
    if (!slab) return null;
    const start = this.#startOf[slot]!;
    return { bytes: slab.bytes, start, length: slab.bytes.readUInt32LE(start - 4) };
  }

  #append(slot: number, bytes: Uint8Array): void {
    const size = HEAD + bytes.length;
    const before = this.#open;
    let slab = this.#slabs[before];
    if (!slab || slab.used + size > slab.bytes.length) {
      slab = { bytes: Buffer.allocUnsafeSlow(Math.max(this.#slabBytes, size)), used: 0, live: 0 };
      const free = this.#slabs.indexOf(null);
      this.#open = free < 0 ? this.#slabs.length : free;
      this.#slabs[this.#open] = slab;
    }
    slab.bytes.writeUInt32LE(slot, slab.used);
    slab.bytes.writeUInt32LE(bytes.length, slab.used + 4);
    slab.bytes.set(bytes, slab.used + HEAD);
    this.#reserve(slot);
    this.#slabOf[slot] = this.#open;
    this.#startOf[slot] = slab.used + HEAD;
    slab.used += size;
    slab.live += size;
    if (before !== this.#open) this.#tidy(before);
  }

  /** Copies the live texts of a half-empty slab (not the open one) after the last text, and frees the slab. */
  #tidy(number: number): void {
    const slab = this.#slabs[number];
    if (!slab || number === this.#open || slab.live >= slab.bytes.length / 2) return;
    for (let at = 0; at < slab.used; ) {
      const slot = slab.bytes.readUInt32LE(at);
      const start = at + HEAD;
      const end = start + slab.bytes.readUInt32LE(at + 4);
      if (this.#slabOf[slot] === number && this.#startOf[slot] === start) this.#append(slot, slab.bytes.subarray(start, end));
      at = end;
    }
    this.#slabs[number] = null;
  }

  #reserve(slot: number): void {
    if (slot < this.#slabOf.length) return;
    const size = Math.max(slot + 1, Math.ceil(this.#slabOf.length * 1.5));
    const slabOf = new Int32Array(size).fill(-1);
    slabOf.set(this.#slabOf);
    const startOf = new Uint32Array(size);
    startOf.set(this.#startOf);
    this.#slabOf = slabOf;
    this.#startOf = startOf;
  }
}
