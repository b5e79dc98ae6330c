import { setImmediate as turn } from 'node:timers/promises';
import { utcDay } from '@portal/contract/days';
import {
  type AddressRange,
  compareResources,
  equalResources,
  type NumberResource,
  parseStatisticsResource,
  prefixOfRange,
  printAddress,
  printResource,
  quoteInput,
  type ResourceFamily,
} from '@portal/number-resources';

/**
 * `delegated`: the RIR statistics exchange format, version 2 (its text is with the registries as DELEGATED-FMT). `delegated-extended`: the same
 * with an opaque id of the holder as eighth field, and with space that is available or reserved.
 */
export type StatisticsFormat = 'delegated' | 'delegated-extended';

/** The version line, its fields as written; `records` is the count it states. */
export type StatisticsHeader = {
  version: string;
  registry: string;
  serial: string;
  records: string;
  startDate: string;
  endDate: string;
  utcOffset: string;
};

export const statisticsStatuses = ['allocated', 'assigned', 'available', 'reserved'] as const;
export type StatisticsStatus = (typeof statisticsStatuses)[number];

/** One record line. The IPv4 range in `resource` need not be a prefix, and an asn line may cover several AS numbers. */
export type StatisticsRecord = {
  /** Counted from 1, comments and blank lines included. */
  line: number;
  /** Two capital letters, or empty. */
  economy: string;
  resource: NumberResource;
  /** Eight digits, or empty: `00000000` and invalid days occur in real files. */
  date: string;
  status: StatisticsStatus;
  /** The eighth field; null when the line has seven. */
  opaqueId: string | null;
  /** The fields after the eighth, with `|` between them; null if there are none. */
  extensions: string | null;
};

/** A refused line, with the reason. */
export type RefusedLine = { line: number; reason: string };

/** An imported line with a problem. */
export type NotedLine = { line: number; note: string };

/** A stated count and the actual one. */
export type WrongCount = { what: 'records' | ResourceFamily; stated: number | null; counted: number; line: number };

export type StatisticsFile = {
  format: StatisticsFormat;
  header: StatisticsHeader;
  /** Kinds in the order of the summary lines and of their first records. */
  summaryKinds: ResourceFamily[];
  recordKinds: ResourceFamily[];
  records: StatisticsRecord[];
  /** Records are grouped by kind and ascend within each. */
  sorted: boolean;
  lines: number;
  /** At most `REFUSALS_KEPT`, by line; `refusedTotal` counts all. */
  refused: RefusedLine[];
  refusedTotal: number;
  /** Likewise. */
  noted: NotedLine[];
  notedTotal: number;
  wrongCounts: WrongCount[];
};

/** Maximum number of refused lines listed; a file full of errors would flood the screen. */
const REFUSALS_KEPT = 1_000;
const LONGEST_LINE = 2_000;
/** U+FEFF as some editors write it at the start of a file, one character per byte. */
const byteOrderMark = '\u00ef\u00bb\u00bf';
const kinds: readonly string[] = ['asn', 'ipv4', 'ipv6'];

/** A file that can't be parsed at all: `line` is where that shows. */
export class UnreadableStatistics extends Error {
  override name = 'UnreadableStatistics';
  readonly line: number;
  constructor(line: number, reason: string) {
    super(`line ${line}: ${reason}`);
    this.line = line;
  }
}

/**
 * Reads a statistics file from its (uncompressed) bytes, a chunk at a time, yielding between chunks. Wrong lines, overlaps and wrong counts are
 * collected in the result with their line numbers. @throws {UnreadableStatistics} without a version line, for another version, or if it isn't text.
 */
export async function readStatistics(
  chunks: AsyncIterable<Uint8Array>,
  onLines: (lines: number, expected: number | null) => void = () => {},
): Promise<StatisticsFile> {
  const reader = new StatisticsReader();
  let rest = '';
  try {
    for await (const chunk of chunks) {
      const text = rest + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1');
      const end = text.lastIndexOf('\n');
      if (end >= 0) for (const line of text.slice(0, end).split('\n')) reader.take(line);
      rest = text.slice(end + 1);
      if (rest.length > LONGEST_LINE) reader.take(rest);
      onLines(reader.lines, reader.expected);
      await turn();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!code?.startsWith('Z_')) throw error;
    throw new UnreadableStatistics(
      reader.lines + 1,
      code === 'Z_BUF_ERROR'
        ? 'the compressed file ends here, before its end; fetch it again'
        : 'the compressed file is damaged here; fetch it again',
    );
  }
  if (rest !== '') reader.take(rest);
  return reader.finish();
}

class StatisticsReader {
  lines = 0;
  private header: StatisticsHeader | null = null;
  private headerLine = 0;
  private readonly records: StatisticsRecord[] = [];
  private readonly summaries = new Map<ResourceFamily, { stated: number; line: number }>();
  private readonly counted: Record<ResourceFamily, number> = { ipv4: 0, ipv6: 0, asn: 0 };
  private refused: RefusedLine[] = [];
  private refusedTotal = 0;
  private noted: NotedLine[] = [];
  private notedTotal = 0;

  get expected(): number | null {
    return this.header && /^\d{1,9}$/.test(this.header.records) ? Number(this.header.records) : null;
  }

  take(line: string): void {
    this.lines++;
    const marked = this.lines === 1 && line.startsWith(byteOrderMark) ? line.slice(byteOrderMark.length) : line;
    const text = marked.endsWith('\r') ? marked.slice(0, -1) : marked;
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    const stray = text.startsWith('#') ? /[\x00-\x08\x0e-\x1f]/.exec(text) : /[^\x20-\x7e\t]/.exec(text);
    if (stray)
      throw new UnreadableStatistics(
        this.lines,
        `this is not text (byte ${hexByte(stray[0])}); a statistics file is plain text, or gzip of it`,
      );
    if (text.startsWith('#') || text.trim() === '') return;
    if (text.length > LONGEST_LINE)
      throw new UnreadableStatistics(this.lines, `the line is longer than ${LONGEST_LINE} characters; no statistics line is`);
    const fields = text.split('|');
    for (let i = 0; i < fields.length; i++) fields[i] = (fields[i] as string).trim();
    if (!this.header) this.takeHeader(fields);
    else if (fields[1] === '*' && fields[5] === 'summary') this.takeSummary(fields);
    else this.takeRecord(fields, this.header);
  }

  private takeHeader(fields: string[]): void {
    const [version = '', registry = '', serial = '', records = '', startDate = '', endDate = '', utcOffset = ''] = fields;
    if (fields.length < 7 || !/^\d+(\.\d+)*$/.test(version))
      throw new UnreadableStatistics(
        this.lines,
        `${quoteInput(fields.join('|'))} is not a version line; a statistics file begins with one like 2|apnic|20210715|69826|19830613|20210714|+1000`,
      );
    if (!/^2(\.\d+)?$/.test(version))
      throw new UnreadableStatistics(this.lines, `the file is version ${version} of the format; version 2 is known here`);
    if (!/^[a-z][a-z0-9-]{0,19}$/.test(registry))
      throw new UnreadableStatistics(
        this.lines,
        `${quoteInput(registry)} is not the name of a registry; one is written in small letters, like apnic`,
      );
    if (!/^\d{1,20}$/.test(serial))
      throw new UnreadableStatistics(this.lines, `${quoteInput(serial)} is not a serial; one is digits, like 20210715`);
    for (const date of [startDate, endDate])
      if (!/^(\d{8})?$/.test(date))
        throw new UnreadableStatistics(this.lines, `${quoteInput(date)} is not a date; one is eight digits, like 20210714`);
    for (const date of [startDate, endDate]) if (isNoDay(date)) this.note(this.lines, `${date} is no day of the calendar`);
    this.header = { version, registry, serial, records, startDate, endDate, utcOffset };
    this.headerLine = this.lines;
  }

  private takeSummary(fields: string[]): void {
    const [registry, , kind = '', , count = ''] = fields;
    if (registry !== this.header?.registry)
      return this.refuse(`the summary is of ${quoteInput(registry ?? '')}, the file of ${this.header?.registry}`);
    if (!isKind(kind)) return this.refuse(`${quoteInput(kind)} is not asn, ipv4 or ipv6`);
    if (!/^\d{1,9}$/.test(count)) return this.refuse(`${quoteInput(count)} is not a number of records`);
    const earlier = this.summaries.get(kind);
    if (earlier) return this.refuse(`a summary of ${kind} stands already in line ${earlier.line}`);
    this.summaries.set(kind, { stated: Number(count), line: this.lines });
  }

  private takeRecord(fields: string[], header: StatisticsHeader): void {
    if (fields.length < 7) return this.refuse(`a record has at least seven fields, this line has ${fields.length}`);
    const [registry = '', economy = '', kind = '', start = '', value = '', date = '', status = '', opaqueId = null] = fields;
    if (registry !== header.registry) return this.refuse(`the record is of ${quoteInput(registry)}, the file of ${header.registry}`);
    if (!isKind(kind)) return this.refuse(`${quoteInput(kind)} is not asn, ipv4 or ipv6`);
    if (!/^([A-Z]{2})?$/.test(economy)) return this.refuse(`${quoteInput(economy)} is not an economy; one is two capital letters`);
    if (!/^(\d{8})?$/.test(date)) return this.refuse(`${quoteInput(date)} is not a date; one is eight digits, like 20210714`);
    if (!isStatus(status)) return this.refuse(`${quoteInput(status)} is not ${statisticsStatuses.join(', ')}`);
    let resource: NumberResource;
    try {
      resource = parseStatisticsResource(kind, start, value);
    } catch (error) {
      return this.refuse((error as Error).message);
    }
    if (isNoDay(date)) this.note(this.lines, `${date} is no day of the calendar; ${printResource(resource)} is imported without a date`);
    this.counted[kind]++;
    const extensions = fields.length > 8 ? fields.slice(8).join('|') : null;
    this.records.push({ line: this.lines, economy, resource, date, status, opaqueId, extensions });
  }

  private refuse(reason: string): void {
    this.refusedTotal++;
    if (this.refused.length < REFUSALS_KEPT) this.refused.push({ line: this.lines, reason });
  }

  private note(line: number, note: string): void {
    this.notedTotal++;
    if (this.noted.length < REFUSALS_KEPT) this.noted.push({ line, note });
  }

  async finish(): Promise<StatisticsFile> {
    const { header, records, summaries, counted } = this;
    if (!header) throw new UnreadableStatistics(Math.max(this.lines, 1), 'the file ends without a version line');
    const { recordKinds, sorted } = orderOf(records);
    const overlaps = await findOverlaps(records, sorted);
    this.refusedTotal += overlaps.length;
    const format = records.some(isExtended) ? 'delegated-extended' : 'delegated';
    this.noteMissingIds(format);
    const refused = [...this.refused, ...overlaps].sort((a, b) => a.line - b.line).slice(0, REFUSALS_KEPT);
    return {
      format,
      header,
      summaryKinds: [...summaries.keys()],
      recordKinds,
      records,
      sorted,
      lines: this.lines,
      refused,
      refusedTotal: this.refusedTotal,
      noted: this.noted.sort((a, b) => a.line - b.line),
      notedTotal: this.notedTotal,
      wrongCounts: this.wrongCounts(header, counted),
    };
  }

  /** An extended file names the holder of each delegation; an eighth field that is empty makes no file extended. */
  private noteMissingIds(format: StatisticsFormat): void {
    for (const { line, opaqueId, status, resource } of this.records) {
      if (format === 'delegated') {
        if (opaqueId !== null) this.note(line, 'the eighth field is empty; the file has no opaque ids and is read as a plain one');
      } else if (!opaqueId && (status === 'allocated' || status === 'assigned'))
        this.note(line, `${printResource(resource)} has no opaque id; its holder is not named`);
    }
  }

  private wrongCounts(header: StatisticsHeader, counted: Record<ResourceFamily, number>): WrongCount[] {
    const wrong: WrongCount[] = [];
    if (this.expected !== this.records.length)
      wrong.push({ what: 'records', stated: this.expected, counted: this.records.length, line: this.headerLine });
    for (const kind of ['asn', 'ipv4', 'ipv6'] as const) {
      const summary = this.summaries.get(kind);
      if (summary ? summary.stated !== counted[kind] : counted[kind] > 0)
        wrong.push({ what: kind, stated: summary?.stated ?? null, counted: counted[kind], line: summary?.line ?? this.headerLine });
    }
    return wrong;
  }
}

/** `20210714` as `2021-07-14`; null for an invalid date, such as `00000000`. */
export function dayOf(date: string): string | null {
  if (date === '' || date.startsWith('0000')) return null;
  const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
  const time = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(time.getTime()) || utcDay(time) !== day ? null : day;
}
/** Whether eight digits other than "unknown" (`00000000`) are an invalid date. */
const isNoDay = (date: string): boolean => date !== '' && date !== '00000000' && dayOf(date) === null;

const hexByte = (character: string): string => `0x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
const isKind = (text: string): text is ResourceFamily => kinds.includes(text);
const isStatus = (text: string): text is StatisticsStatus => (statisticsStatuses as readonly string[]).includes(text);
/** Whether a record is of space without a holder. */
export const isPool = ({ status }: { status: string }): boolean => status === 'available' || status === 'reserved';
/** A plain file has neither ids nor space without a holder. */
const isExtended = (record: StatisticsRecord): boolean => Boolean(record.opaqueId) || isPool(record);

function orderOf(records: readonly StatisticsRecord[]): { recordKinds: ResourceFamily[]; sorted: boolean } {
  const recordKinds: ResourceFamily[] = [];
  let sorted = true;
  let before: NumberResource | undefined;
  for (const { resource } of records) {
    if (resource.family === before?.family) {
      if (resource.first < before.first) sorted = false;
    } else if (recordKinds.includes(resource.family)) sorted = false;
    else recordKinds.push(resource.family);
    before = resource;
  }
  return { recordKinds, sorted };
}

/** Returns the lines that overlap an earlier valid one: numbers can be delegated only once. */
async function findOverlaps(records: readonly StatisticsRecord[], sorted: boolean): Promise<RefusedLine[]> {
  const overlaps: RefusedLine[] = [];
  const ordered = sorted ? records : records.toSorted((a, b) => compareResources(a.resource, b.resource));
  let cluster: StatisticsRecord[] = [];
  let widest: NumberResource | undefined;
  for (const [index, record] of ordered.entries()) {
    if (index % 10_000 === 0) await turn();
    const { resource } = record;
    if (widest?.family === resource.family && resource.first <= widest.last) {
      cluster.push(record);
      if (resource.last > widest.last) widest = resource;
      continue;
    }
    overlaps.push(...refuseLater(cluster));
    cluster = [record];
    widest = resource;
  }
  return [...overlaps, ...refuseLater(cluster)];
}

/** Of overlapping records the earlier lines are kept, and each later one is refused that overlaps a kept one. */
function refuseLater(cluster: StatisticsRecord[]): RefusedLine[] {
  if (cluster.length < 2) return [];
  const refused: RefusedLine[] = [];
  const standing: StatisticsRecord[] = [];
  for (const record of cluster.sort((a, b) => a.line - b.line)) {
    const { line, resource } = record;
    let [place, end] = [0, standing.length];
    while (place < end) {
      const middle = (place + end) >> 1;
      if ((standing[middle] as StatisticsRecord).resource.last < resource.first) place = middle + 1;
      else end = middle;
    }
    const met = standing[place];
    if (!met || met.resource.first > resource.last) standing.splice(place, 0, record);
    else if (equalResources(met.resource, resource))
      refused.push({ line, reason: `${printResource(resource)} stands already in line ${met.line}` });
    else refused.push({ line, reason: `${printResource(resource)} overlaps ${printResource(met.resource)} of line ${met.line}` });
  }
  return refused;
}

/** The version line and the summary lines, each ended by a newline. */
export function printStatisticsHeader(
  header: Omit<StatisticsHeader, 'records'>,
  summaries: readonly { kind: ResourceFamily; count: number }[],
): string {
  const { version, registry, serial, startDate, endDate, utcOffset } = header;
  const records = summaries.reduce((total, { count }) => total + count, 0);
  return [
    [version, registry, serial, records, startDate, endDate, utcOffset].join('|'),
    ...summaries.map(({ kind, count }) => `${registry}|*|${kind}|*|${count}|summary`),
    '',
  ].join('\n');
}

/** One record line, without its newline. IPv6 must be a prefix. @throws {RangeError} otherwise */
export function printStatisticsRecord(registry: string, record: Omit<StatisticsRecord, 'line'>): string {
  const { economy, resource, date, status, opaqueId, extensions } = record;
  let line = `${registry}|${economy}|${resource.family}|${startAndValue(resource)}|${date}|${status}`;
  if (opaqueId !== null) line += `|${opaqueId}`;
  if (extensions !== null) line += `|${extensions}`;
  return line;
}

function startAndValue(resource: NumberResource): string {
  if (resource.family === 'asn') return `${resource.first}|${resource.last - resource.first + 1}`;
  const start = printAddress({ family: resource.family, value: resource.first });
  return `${start}|${resource.family === 'ipv4' ? resource.last - resource.first + 1n : prefixLength(resource)}`;
}

function prefixLength(range: AddressRange): number {
  const prefix = prefixOfRange(range);
  if (!prefix) throw new RangeError(`${printResource(range)} is not one prefix`);
  return prefix.length;
}
