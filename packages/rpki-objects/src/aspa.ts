import { equalBytes } from './bytes.ts';
import { DerReader } from './der-reader.ts';
import { element, integer, sequence, tags } from './der-writer.ts';
import { ProfileError } from './profile-error.ts';
import { asNumberOf } from './resources.ts';

/** Which ASes are upstream of a customer AS (draft-ietf-sidrops-aspa-profile, version 1). AS 0 alone: none is. */
export type Aspa = { customer: number; providers: readonly number[] };

/** Returns what is wrong with an ASPA; null if nothing is. */
export function aspaProblem({ customer, providers }: Aspa): string | null {
  if (providers.length === 0) return 'An ASPA needs at least one provider, or AS0 for none';
  if (providers.includes(customer)) return `AS${customer} cannot be its own provider`;
  if (providers.length > 1 && providers.includes(0)) return 'AS0 stands for no provider at all, so it cannot be listed with others';
  if (new Set(providers).size < providers.length) return 'Each provider can be listed once';
  return null;
}

/** The content of an ASPA; providers in ascending order. @throws {RangeError} */
export function encodeAspa(aspa: Aspa): Uint8Array {
  const problem = aspaProblem(aspa);
  if (problem !== null) throw new RangeError(problem);
  const providers = [...aspa.providers].sort((a, b) => a - b);
  return sequence(element(tags.context(0), integer(1)), integer(aspa.customer), sequence(...providers.map(each => integer(each))));
}

/** @throws {ProfileError} */
export function decodeAspa(content: Uint8Array): Aspa {
  const outer = new DerReader(content, 'The ASPA');
  const parts = outer.sequence('ASPA');
  outer.end();
  if (parts.inside(tags.context(0), 'version').integer('version') !== 1n) throw new ProfileError('The ASPA does not have version 1');
  const customer = asNumberOf(parts.integer('customer'));
  const list = parts.sequence('providers');
  parts.end();
  const providers: number[] = [];
  while (!list.atEnd) providers.push(asNumberOf(list.integer('provider')));
  const aspa = { customer, providers };
  const problem = aspaProblem(aspa);
  if (problem !== null) throw new ProfileError(problem);
  if (!equalBytes(encodeAspa(aspa), content)) throw new ProfileError('The ASPA is not in the form of its profile');
  return aspa;
}
