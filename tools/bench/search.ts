import { addPeople } from '../../apps/server/test/added-people.ts';
import { type Bench, milliseconds, percentile } from './figures/bench.ts';
import { portalData } from './data/portal-data.ts';
import { address, startProgram, temporaryFolder } from './programs/program.ts';

export const bench: Bench = {
  about:
    'registry staff finds accounts and people over a whole registry (GET /api/staff/holders, POST /api/staff/people), and the palette finds everything (GET /api/staff/search), one connection, 60 times each',
  run: async () => {
    await using temporary = temporaryFolder();
    await using data = await portalData(temporary.folder);
    const token = await data.tokenOf('stella');
    const { accountName } = await data.largest('ipv4');
    await addPeople(data.db);
    await using _program = await startProgram(data.environment);
    const holders = (question: string): Question => ({ path: `/api/staff/holders?q=${encodeURIComponent(question)}` });
    const palette = (question: string): Question => ({ path: `/api/staff/search?q=${encodeURIComponent(question)}` });
    const people = (question: string): Question => ({ path: '/api/staff/people', body: { q: question } });
    const questions: [string, Question][] = [
      ['an address (1.32.5.1)', holders('1.32.5.1')],
      ['a prefix (1.32.0.0/16)', holders('1.32.0.0/16')],
      ['a short prefix (1.0.0.0/8)', holders('1.0.0.0/8')],
      ['an IPv6 prefix (2400:80::/32)', holders('2400:80::/32')],
      ['an AS number (AS131074)', holders('AS131074')],
      [`an account (${accountName})`, holders(accountName)],
      ['a holder by part of the name (net)', holders('net')],
      ['nothing (zzzzzz)', holders('zzzzzz')],
      ['an e-mail address', people('person4711@holder.example')],
      ['the beginning of one (person47)', people('person47')],
      ['a person by part of the name (berg)', people('berg')],
      ['a person by name (mira 4711)', people('mira 4711')],
      ['nobody (zzzzzz@)', people('zzzzzz@')],
      ['palette: an address', palette('1.32.5.1')],
      ['palette: an account', palette(accountName)],
      ['palette: part of a name (net)', palette('net')],
      ['palette: the beginning of an object (maint-)', palette('maint-')],
      ['palette: an invoice (INV-2025)', palette('INV-2025')],
      ['palette: nothing (zzzzzz)', palette('zzzzzz')],
    ];
    const all: number[] = [];
    const ofPalette: number[] = [];
    const figures = [{ what: 'data', value: data.about }];
    for (const [what, { path, body }] of questions) {
      const took: number[] = [];
      for (let time = 0; time < 65; time++) {
        const from = performance.now();
        const answer = await fetch(`${address}${path}`, {
          headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
          ...(body && { method: 'POST', body: JSON.stringify(body) }),
        });
        const text = await answer.text();
        if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
        if (time >= 5) took.push(performance.now() - from);
      }
      (path.startsWith('/api/staff/search') ? ofPalette : all).push(...took);
      figures.push({
        what,
        value: `p50 ${milliseconds(percentile(took, 0.5))}, p95 ${milliseconds(percentile(took, 0.95))}`,
      });
    }
    const p95 = percentile(all, 0.95);
    const p95OfPalette = percentile(ofPalette, 0.95);
    return [
      ...figures,
      { what: 'all', value: `p95 ${milliseconds(p95)}`, budget: '30 ms', held: p95 <= 30 },
      { what: 'palette', value: `p95 ${milliseconds(p95OfPalette)}`, budget: '50 ms', held: p95OfPalette <= 50 },
    ];
  },
};

type Question = { path: string; body?: { q: string } };
