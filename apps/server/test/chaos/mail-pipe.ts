import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { inherited } from '../processes/inherited.ts';
import { serverProgram } from '../processes/worker-programs.ts';

/** Exit codes as mail servers read them (sysexits.h): taken, to be tried again, and returned to its sender. */
const [TAKEN, EX_TEMPFAIL, EX_NOPERM] = [0, 75, 77];
/** A person may open so many tickets in an hour: the next one is returned. */
const senders = ['bill@example-au.example', 'tilda@example-au.example', 'hana@oldnet.example', 'max@many.example'];
/** Time in ms between two mails, and before a mail is tried again. */
const RESTS_MS = 4_000;

/** A mail server that pipes mail to the registry into `registry mail-in`, one after the other; what isn't taken is tried again with the same message id, as mail servers do. */
export class MailPipe {
  /** Numbers of the mails that were taken; each opens a ticket `chaos mail N.`. */
  readonly taken: number[] = [];
  /** Numbers of those that were returned, because their sender had sent enough for the hour. */
  readonly returned: number[] = [];
  /** The words of the command where it neither took a mail nor asked for it again. */
  readonly findings: string[] = [];
  readonly #environment: Record<string, string>;
  #number = 0;
  #isOver = true;
  #work: Promise<void> = Promise.resolve();
  constructor(environment: Record<string, string>) {
    this.#environment = environment;
  }

  async #give(number: number): Promise<number> {
    const sender = senders[number % senders.length]!;
    const command = ['--disable-warning=ExperimentalWarning', serverProgram, 'registry', 'mail-in', `--sender=${sender}`];
    const program = spawn(process.execPath, command, { env: { ...inherited, ...this.#environment }, stdio: ['pipe', 'pipe', 'pipe'] });
    program.stdin.end(
      [
        `From: ${sender}`,
        'To: support@registry.example',
        `Subject: chaos mail ${number}.`,
        `Message-ID: <chaos-${number}@mail.example>`,
        'Content-Type: text/plain; charset=utf-8',
        '',
        'Sent while something fails.',
        '',
      ].join('\r\n'),
    );
    const said = Promise.all([text(program.stdout), text(program.stderr)]);
    const [code] = (await once(program, 'exit')) as [number | null];
    const words = (await said).join(' ');
    if (code === EX_NOPERM && words.includes('Too many requests')) this.returned.push(number);
    else if (code !== TAKEN && code !== EX_TEMPFAIL) this.findings.push(`mail ${number} ended with ${code}: ${words.slice(-400)}`);
    return code ?? -1;
  }

  start(): void {
    this.#isOver = false;
    this.#work = (async () => {
      while (!this.#isOver) {
        const number = this.#number++;
        // The last one is tried until it is taken or refused, however long the registry is away.
        for (let code: number = EX_TEMPFAIL; code === EX_TEMPFAIL; ) {
          code = await this.#give(number);
          if (code === TAKEN) this.taken.push(number);
          else await pause(RESTS_MS);
        }
        await pause(RESTS_MS);
      }
    })();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#work;
  }
}
