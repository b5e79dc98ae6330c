import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exampleObjects } from '../../apps/server/test/whois-server.ts';
import { isInstalled, startWhois, type WhoisProduct } from './whois-product.ts';

const run = promisify(execFile);
const program = 'rdap-validator';
const isThere = isInstalled(program);

type Finding = { testPassed: boolean | null; message: string; path: string };

/**
 * Findings that are mistakes of the validator: the profile requires a self link of objects, and notices are none (NRO RDAP profile 4.2); it compares
 * whether a link has a relation with the number 1, so it never finds the two notices of 4.3 (`apps/server/test/rdap-rules.ts` looks for them).
 */
const mistaken =
  /^\$\.notices\[\d+\]\.links: 'links' array MUST contain exactly one 'self' link|^\$\.notices: Response MUST contain a notice which has a link with the '(?:terms-of-service|inaccuracy-report)' relation/;

/**
 * Tests our RDAP answers with a third-party validator: that of https://validator.rdap.org (github.com/rdap-org/validator.rdap.org), whose
 * `bin/rdap-validator` has to be on the path. No package registry has it, so machines that were not given it say so here. Its version of February 2025
 * stops at every `country` (`/[A-Z]{2}/.match` is no function); with `test` there instead it goes through.
 */
describe(`RDAP of the product${isThere ? '' : ` (left out: there is no ${program} on this machine)`}`, () => {
  let product: WhoisProduct;
  beforeAll(async () => {
    if (isThere) product = await startWhois(exampleObjects, 'web');
  }, 60_000);
  afterAll(async () => {
    if (isThere) await product.stop();
  });

  test.runIf(isThere).each([
    ['/ip/198.18.5.9', 'ip-network'],
    ['/ip/2001:db8::/32', 'ip-network'],
    ['/autnum/64500', 'autnum'],
    ['/domain/18.198.in-addr.arpa', 'domain'],
    ['/entity/PP1-EX', 'entity'],
    ['/entity/ORG-HO1-EX', 'entity'],
    ['/entity/IRT-HOLDER-EX', 'entity'],
    ['/entity/MAINT-PIA-EX', 'entity'],
    ['/help', 'help'],
  ])('%s is a right %s', async (path, type) => {
    for (const server of ['vanilla', 'rir']) {
      const { stdout } = await run(
        program,
        ['--json', `--type=${type}`, `--server-type=${server}`, `http://127.0.0.1:${product.port}/rdap${path}`],
        { maxBuffer: 50_000_000 },
      );
      const { results } = JSON.parse(stdout) as { results: Finding[] };
      expect(results.filter(({ testPassed }) => testPassed === true).length).toBeGreaterThan(10);
      const found = results.filter(({ testPassed }) => testPassed === false).map(({ path: place, message }) => `${place}: ${message}`);
      expect(found.filter(each => !mistaken.test(each))).toEqual([]);
    }
  });
});
