import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../src/platform/demo.ts';
import type { OwnPostgres } from '../database/own-postgres.ts';
import type { OutsideSystem } from './outside-systems.ts';
import type { RoleProgram } from './role-program.ts';

/** A registry that faults are done to, with the systems of others that it needs. */
export type Harmed = {
  postgres: OwnPostgres;
  programs: readonly RoleProgram[];
  outside: readonly OutsideSystem[];
  /** Cuts the connections of all clients. */
  cut: () => void;
};
/** A fault that was drawn: what it is, in words, and what does it and then takes it back. */
export type Fault = { words: string; happen: () => Promise<void> };

/** The longest that a fault lasts, in ms; a machine that sleeps does so longer than any lease of the program lasts. */
const MAX_MS = 3_000;
const SLEEP_MS = 20_000;

type Kind = (harmed: Harmed, random: Random) => Fault;
const oneOf = ({ programs }: Harmed, random: Random): RoleProgram => programs[random(programs.length)]!;

/** Ends programs at once, and starts them again. */
const kill =
  (which: 'one' | 'all'): Kind =>
  (harmed, random) => {
    const killed = which === 'one' ? [oneOf(harmed, random)] : harmed.programs;
    const after = random(MAX_MS);
    return {
      words: `${killed.map(({ name }) => name).join(', ')} killed, started again after ${after} ms`,
      happen: async () => {
        await Promise.all(killed.map(each => each.kill()));
        await pause(after);
        await Promise.all(killed.map(each => each.start()));
      },
    };
  };

const restart: Kind = (harmed, random) => {
  const program = oneOf(harmed, random);
  return {
    words: `${program.name} stopped and started`,
    happen: async () => {
      await program.stop();
      await program.start();
    },
  };
};

const halt: Kind = (harmed, random) => {
  const program = oneOf(harmed, random);
  const after = random(8) === 0 ? SLEEP_MS : random(MAX_MS);
  return {
    words: `${program.name} halted for ${after} ms`,
    happen: async () => {
      program.halt();
      await pause(after);
      program.wake();
    },
  };
};

const database: Kind = ({ postgres }, random) => {
  const way = (['fast', 'immediate', 'crash'] as const)[random(3)]!;
  const after = random(MAX_MS);
  return {
    words: `PostgreSQL ended (${way}), started again after ${after} ms`,
    happen: async () => {
      await (way === 'crash' ? postgres.crash() : postgres.stop(way));
      await pause(after);
      await postgres.start();
    },
  };
};

const connections: Kind = ({ postgres }) => ({
  words: 'all connections to the database cut',
  happen: async () => {
    await postgres.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
  },
});

const slow: Kind = ({ postgres }, random) => {
  const table = ['activity', 'whois_object', 'roa', 'graphile_worker._private_jobs', 'login'][random(5)]!;
  const seconds = (100 + random(MAX_MS)) / 1_000;
  return {
    words: `${table} locked for ${seconds} s`,
    happen: async () => {
      await postgres.query('begin', `lock table ${table} in access exclusive mode`, `select pg_sleep(${seconds})`, 'commit');
    },
  };
};

const readOnly: Kind = ({ postgres }, random) => {
  const after = random(MAX_MS);
  const set = (statement: string) => postgres.query('set default_transaction_read_only = off', statement, 'select pg_reload_conf()');
  return {
    words: `the database read-only for ${after} ms`,
    happen: async () => {
      await set('alter system set default_transaction_read_only = on');
      await pause(after);
      await set('alter system reset default_transaction_read_only');
    },
  };
};

const disk: Kind = ({ postgres }, random) => {
  const after = random(MAX_MS);
  return {
    words: `the disk of the database full for ${after} ms`,
    happen: async () => {
      const free = postgres.fillDisk?.();
      await pause(after);
      free?.();
    },
  };
};

const outside: Kind = (harmed, random) => {
  const system = harmed.outside[random(harmed.outside.length)]!;
  const way = (['gone', 'failing'] as const)[random(2)]!;
  const after = random(MAX_MS);
  return {
    words: `${system.name} ${way} for ${after} ms`,
    happen: async () => {
      await system.harm(way);
      await pause(after);
      await system.mend();
    },
  };
};

const cut: Kind = harmed => ({
  words: 'the connections of all clients cut',
  happen: () => {
    harmed.cut();
    return Promise.resolve();
  },
});

/** Kinds by how often they are drawn. */
const kinds: readonly Kind[] = [
  kill('one'),
  kill('one'),
  kill('one'),
  kill('all'),
  restart,
  halt,
  halt,
  database,
  database,
  connections,
  slow,
  slow,
  readOnly,
  disk,
  outside,
  outside,
  cut,
];

/** Draws a fault. */
export function drawFault(harmed: Harmed, random: Random): Fault {
  const possible = harmed.postgres.fillDisk === null ? kinds.filter(kind => kind !== disk) : kinds;
  return possible[random(possible.length)]!(harmed, random);
}
