import dgram from 'node:dgram';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

type Relayed = {
  udp?: false | 'silent';
  tcp?: false | 'silent';
  /** The question as the server behind is asked. */
  ask?: (query: Buffer) => Buffer;
  /** The answer as it comes out. */
  answer?: (answer: Buffer, query: Buffer, transport: 'udp' | 'tcp') => Buffer;
  delayMs?: number;
  /** Answers over UDP leave from another address. */
  source?: string;
};

/** End of the question of a message. */
const endOfQuestion = (wire: Buffer): number => {
  let at = 12;
  while (wire[at]) at += wire[at]! + 1;
  return at + 5;
};
const typeOf = (query: Buffer): number => query.readUInt16BE(endOfQuestion(query) - 4);
/** A message with its question only, and these flags and records. */
const only = (answer: Buffer, code: number, records: readonly Buffer[] = []): Buffer => {
  const head = Buffer.from(answer.subarray(0, endOfQuestion(answer)));
  head[2] = 0x84;
  head[3] = code;
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(1, 8);
  // EDNS of 1232 bytes.
  return Buffer.concat([head, ...records, Buffer.from([0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 0])]);
};
const SOA = 6;
const AAAA = 28;

/** Devices in front of a healthy server, each of which spoils something. */
export const relayFaults = {
  noaa: {
    answer: answer => {
      answer[2]! &= ~4;
      return answer;
    },
  },
  nosoa: { answer: (answer, query) => (typeOf(query) === SOA ? only(answer, 0) : answer) },
  twosoa: {
    answer: (answer, query) => {
      if (typeOf(query) !== SOA || answer.readUInt16BE(6) !== 1) return answer;
      const start = endOfQuestion(answer);
      const first = answer.subarray(start, start + 12 + answer.readUInt16BE(start + 10));
      const second = Buffer.from(first);
      second.writeUInt32BE(second.readUInt32BE(second.length - 20) + 1, second.length - 20);
      return only(answer, 0, [first, second]);
    },
  },
  noedns: {
    ask: query => {
      const plain = Buffer.from(query.subarray(0, endOfQuestion(query)));
      plain.writeUInt16BE(0, 10);
      return plain;
    },
  },
  aaaa: { answer: (answer, query) => (typeOf(query) === AAAA ? only(answer, 2) : answer) },
  case: {
    answer: answer => {
      for (let at = 12; at < endOfQuestion(answer) - 4; at++) if (answer[at]! >= 65 && answer[at]! <= 90) answer[at]! += 32;
      return answer;
    },
  },
  garbage: { answer: () => Buffer.from('this is no message') },
  flood: { answer: (_, __, transport) => Buffer.alloc(transport === 'udp' ? 60_000 : 65_535, 7) },
  slow: { delayMs: 1_200 },
  silent: { udp: 'silent', tcp: 'silent' },
  notcp: { tcp: false },
  noudp: { udp: false },
  source: { source: '45.10.5.200' },
} satisfies Record<string, Relayed>;
export type RelayFault = keyof typeof relayFaults;

async function behind(query: Buffer, server: string, transport: 'udp' | 'tcp'): Promise<Buffer> {
  if (transport === 'udp') {
    const socket = dgram.createSocket(net.isIPv6(server) ? 'udp6' : 'udp4');
    try {
      socket.send(query, 53, server);
      const [answer] = (await once(socket, 'message')) as [Buffer];
      return answer;
    } finally {
      socket.close();
    }
  }
  const socket = net.connect(53, server);
  socket.write(Buffer.concat([Buffer.from([query.length >> 8, query.length & 255]), query]));
  let all = Buffer.alloc(0);
  for await (const part of socket) {
    all = Buffer.concat([all, part as Buffer]);
    if (all.length >= 2 && all.length >= 2 + all.readUInt16BE(0)) break;
  }
  return all.subarray(2);
}

/** Opens a device at an address, in front of a name server. It lives as long as the process. */
export async function openRelay(fault: RelayFault, address: string, server: string): Promise<void> {
  const { udp, tcp, ask, answer, delayMs = 0, source }: Relayed = relayFaults[fault];
  const said = async (query: Buffer, transport: 'udp' | 'tcp'): Promise<Buffer> => {
    const plain = await behind(ask ? ask(query) : query, server, transport);
    if (delayMs > 0) await pause(delayMs);
    return answer ? answer(plain, query, transport) : plain;
  };
  if (udp !== false) {
    const socket = dgram.createSocket('udp4');
    const out = source ? dgram.createSocket('udp4') : socket;
    if (source) out.bind(0, source);
    socket.on('message', (query, from) => {
      if (udp !== 'silent') void said(query, 'udp').then(bytes => out.send(bytes, from.port, from.address));
    });
    socket.bind(53, address);
    await once(socket, 'listening');
  }
  if (tcp !== false) {
    const listener = net.createServer(socket => {
      socket.on('error', () => undefined);
      socket.on('data', (query: Buffer) => {
        if (tcp === 'silent') return;
        void said(query.subarray(2), 'tcp').then(bytes =>
          socket.end(Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])),
        );
      });
    });
    listener.listen(53, address);
    await once(listener, 'listening');
  }
}
