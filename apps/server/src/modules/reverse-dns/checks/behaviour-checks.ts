import type { CheckReport } from '@portal/contract/reverse-dns/checks';
import type { Transport } from '../../../adapters/dns/client.ts';
import { codeName, type Question } from '../../../adapters/dns/message.ts';
import type { Findings, Target } from './findings.ts';
import { failureOf, textOf } from './answer-words.ts';
import type { CheckTools } from './check-question.ts';

/** Runs the checks that need queries of their own: recursion, other types, case, transfers. */
export async function checkBehaviour(
  zone: string,
  targets: readonly Target[],
  { client, port, timeoutMs }: CheckTools,
  found: Findings,
  raw: CheckReport['raw'],
): Promise<void> {
  const awake = targets.filter(({ soaUdp }) => soaUdp.message);
  const results = await Promise.all(
    awake.map(async ({ server, address }) => {
      const query = (question: Question, transport: Transport = 'udp') => client.query(address, question, { transport, port, timeoutMs });
      const mixed = zone.replaceAll(/[a-z0-9](?=.)/g, (letter, index: number) => (index % 2 ? letter : letter.toUpperCase()));
      const [recursion, aaaa, cased, transfer] = await Promise.all([
        query({ name: 'a.root-servers.net', type: 'A', recursive: true }),
        query({ name: zone, type: 'AAAA' }),
        query({ name: mixed, type: 'SOA' }),
        query({ name: zone, type: 'AXFR', edns: false }, 'tcp'),
      ]);
      for (const [what, result] of [
        ['a.root-servers.net A, recursion desired', recursion],
        [`${zone} AAAA`, aaaa],
        [`${zone} AXFR over TCP`, transfer],
      ] as const)
        raw.push({ server: `${server} ${address}`, question: what, milliseconds: result.milliseconds, text: textOf(result) });
      return { server, address, recursion, aaaa, cased, transfer, mixed };
    }),
  );
  const wrong = (problemOf: (result: (typeof results)[number]) => string | null) =>
    results.flatMap(result => {
      const detail = problemOf(result);
      return detail === null ? [] : [{ server: result.server, detail: `${result.server} (${result.address}) ${detail}` }];
    });
  found.each(
    'noRecursion',
    wrong(({ recursion: { message } }) =>
      message && message.recursionAvailable && message.code !== 5 ? 'offers recursion to anyone' : null,
    ),
  );
  found.each(
    'aaaa',
    wrong(({ aaaa }) =>
      !aaaa.message
        ? `doesn’t answer for AAAA: ${failureOf(aaaa)}`
        : aaaa.message.code === 2 || aaaa.message.code === 4 || aaaa.message.code === 1
          ? `answers ${codeName(aaaa.message.code)} for AAAA`
          : null,
    ),
  );
  found.each(
    'caseKept',
    wrong(({ cased: { message }, mixed }) =>
      message?.question && message.question.spelled !== mixed ? 'changes the case of the question' : null,
    ),
  );
  found.each(
    'transferClosed',
    wrong(({ transfer: { message } }) =>
      message && message.code === 0 && message.answers.length > 0 ? 'lets anyone transfer the zone' : null,
    ),
  );
}
