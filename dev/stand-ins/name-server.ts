import dgram from 'node:dgram';
import net from 'node:net';
import { once } from 'node:events';

/** A record as a script of the stand-in has it: data in wire format. */
export type ScriptedRecord = { name: string; type: number; ttl?: number; data: Buffer };
/** The stand-in's answer to a query. With null it stays silent; `raw` sends these bytes instead. */
export type ScriptedAnswer = {
  code?: number;
  authoritative?: boolean;
  recursion?: boolean;
  truncated?: boolean;
  edns?: boolean;
  lowerCase?: boolean;
  delayMs?: number;
  raw?: Buffer;
  answers?: ScriptedRecord[];
  authority?: ScriptedRecord[];
} | null;
export type ScriptedQuestion = { name: string; type: number; transport: 'udp' | 'tcp'; wantsEdns: boolean };

const wireName = (name: string): Buffer =>
  Buffer.concat([
    ...name
      .split('.')
      .filter(Boolean)
      .map(label => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ]);
const number = (value: number): Buffer => Buffer.from([value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]);

/** Data of records, for scripts. */
export const recordData = {
  name: wireName,
  address: (text: string): Buffer => Buffer.from(text.split('.').map(Number)),
  soa: (
    mname: string,
    rname: string,
    timers: readonly [serial: number, refresh: number, retry: number, expire: number, minimum: number],
  ): Buffer => Buffer.concat([wireName(mname), wireName(rname), ...timers.map(number)]),
};

function readQuestion(wire: Buffer, transport: 'udp' | 'tcp') {
  const labels: string[] = [];
  let at = 12;
  while (wire[at]) {
    labels.push(wire.toString('latin1', at + 1, at + 1 + wire[at]!));
    at += wire[at]! + 1;
  }
  const end = at + 5;
  return {
    asked: { name: labels.join('.'), type: wire.readUInt16BE(at + 1), transport, wantsEdns: wire.readUInt16BE(10) > 0 },
    question: wire.subarray(12, end),
    // The OPT record follows the question: its root name, type, class, the extended code, then the version (RFC 6891, section 6.1.3).
    isLaterEdns: wire.readUInt16BE(10) > 0 && (wire[end + 6] ?? 0) > 0,
  };
}

function answerOf(
  wire: Buffer,
  transport: 'udp' | 'tcp',
  script: (question: ScriptedQuestion) => ScriptedAnswer,
): { bytes: Buffer; delayMs: number } | null {
  const { asked, question, isLaterEdns } = readQuestion(wire, transport);
  const said = script({ ...asked, name: asked.name.toLowerCase() });
  if (said === null) return null;
  const {
    code = 0,
    authoritative = true,
    recursion = false,
    truncated = false,
    edns = asked.wantsEdns,
    answers = [],
    authority = [],
    delayMs = 0,
  } = said;
  if (said.raw) return { bytes: said.raw, delayMs };
  const head = Buffer.alloc(12);
  wire.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8000 | (authoritative ? 0x0400 : 0) | (truncated ? 0x0200 : 0) | (recursion ? 0x0080 : 0) | code, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(answers.length, 6);
  head.writeUInt16BE(authority.length, 8);
  head.writeUInt16BE(edns ? 1 : 0, 10);
  const tellsVersion = isLaterEdns && edns;
  const record = ({ name, type, ttl = 3600, data }: ScriptedRecord): Buffer =>
    Buffer.concat([
      wireName(name),
      Buffer.from([type >> 8, type & 255, 0, 1]),
      number(ttl),
      Buffer.from([data.length >> 8, data.length & 255]),
      data,
    ]);
  const shown = said.lowerCase ? Buffer.from(question.toString('latin1').toLowerCase(), 'latin1') : question;
  return {
    bytes: Buffer.concat([
      head,
      shown,
      ...answers.map(record),
      ...authority.map(record),
      // A later version of EDNS is answered with BADVERS, as every server of today does.
      edns ? Buffer.from([0, 0, 41, 4, 208, tellsVersion ? 1 : 0, 0, 0, 0, 0, 0]) : Buffer.alloc(0),
    ]),
    delayMs,
  };
}

/**
 * A name server that says over UDP and TCP what its script says, right or wrong: lame, slow, silent, garbled. It listens on one loopback address.
 */
export async function nameServerStandIn({
  address,
  port,
  script,
}: {
  address: string;
  port: number;
  script: (question: ScriptedQuestion) => ScriptedAnswer;
}) {
  const udp = dgram.createSocket('udp4');
  const timers = new Set<NodeJS.Timeout>();
  const later = (ms: number, act: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
    }, ms);
    timers.add(timer);
  };
  udp.on('message', (wire, from) => {
    const said = answerOf(wire, 'udp', script);
    if (said) later(said.delayMs, () => udp.send(said.bytes, from.port, from.address));
  });
  const tcp = net.createServer(socket => {
    socket.on('error', () => socket.destroy());
    let all = Buffer.alloc(0);
    socket.on('data', part => {
      all = Buffer.concat([all, part as Buffer]);
      if (all.length < 2 || all.length < 2 + all.readUInt16BE(0)) return;
      const said = answerOf(all.subarray(2), 'tcp', script);
      if (!said) return socket.end();
      later(said.delayMs, () => socket.end(Buffer.concat([Buffer.from([said.bytes.length >> 8, said.bytes.length & 255]), said.bytes])));
    });
  });
  udp.bind(port, address);
  tcp.listen(port, address);
  await Promise.all([once(udp, 'listening'), once(tcp, 'listening')]);
  return {
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearTimeout(timer);
      udp.close();
      tcp.close();
      await once(tcp, 'close');
    },
  };
}
