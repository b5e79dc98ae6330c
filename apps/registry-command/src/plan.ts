import { RegistryProblem, type Registry } from '@portal/client';
import { type Declared, type Finding, wrongFile } from './apply-file.ts';
import { aspasSection } from './aspas-section.ts';
import { contactsSection } from './contacts-section.ts';
import { CommandFailure } from './failure.ts';
import { roasSection } from './roas-section.ts';
import { routesSection } from './routes-section.ts';
import type { Section, SectionPlan, Step } from './section.ts';
import { zonesSection } from './zones-section.ts';

/** Sections in the order in which they are applied: later ones may name what earlier ones create. */
export const sections: readonly Section[] = [contactsSection, zonesSection, aspasSection, routesSection, roasSection];

/** A comparison of the whole file. `unchecked`: why the registry didn’t check some of it, a sentence each. */
export type Plan = { sections: readonly { section: Section; plan: SectionPlan }[]; prune: boolean; unchecked: readonly string[] };

/**
 * Compares a file with the registry and has the registry check everything that would be sent, without storing anything. To find differences alone (`onlyCompares`) a key
 * needs no scope for the changes: what it can’t have checked is compared all the same. @throws CommandFailure naming line and column of everything that it would refuse
 */
export async function planOf(
  registry: Registry,
  declared: Declared,
  { prune, onlyCompares }: { prune: boolean; onlyCompares: boolean },
): Promise<Plan> {
  const unchecked = new Set<string>();
  const checked = async <Answer>(call: () => Promise<Answer>): Promise<Answer | null> => {
    try {
      return await call();
    } catch (error) {
      if (!onlyCompares || !(error instanceof RegistryProblem) || error.code !== 'API_KEY_SCOPE') throw error;
      unchecked.add(error.message);
      return null;
    }
  };
  const planned: { section: Section; plan: SectionPlan }[] = [];
  const findings: Finding[] = [];
  for (const section of sections) {
    if (declared.content[section.name] === undefined) continue;
    const plan = await section.plan({ registry, declared, prune, checked });
    planned.push({ section, plan });
    findings.push(...plan.findings);
  }
  if (findings.length > 0) throw wrongFile(declared.file, findings);
  return { sections: planned, prune, unchecked: [...unchecked] };
}

/** Everything that differs between file and registry; deletions too, which happen only with --prune. */
export const stepsOf = ({ sections: planned }: Plan): Step[] => planned.flatMap(({ plan }) => plan.steps);

/** Steps that applying would carry out. */
export const dueSteps = (plan: Plan): Step[] => stepsOf(plan).filter(({ action }) => plan.prune || action !== 'delete');

export const invalidatedBy = ({ sections: planned }: Plan): number => planned.reduce((sum, { plan }) => sum + plan.invalidates, 0);

/** Carries a plan out: first all of it as a dry run, then each section as one change. @throws CommandFailure saying how far it came */
export async function carryOut({ sections: planned }: Plan, say: (line: string) => void): Promise<void> {
  for (const { section, plan } of planned) await sent(section, () => plan.send?.({ dryRun: true, say }), 'Nothing was changed.');
  const done: string[] = [];
  for (const { section, plan } of planned) {
    if (!plan.send) continue;
    const so = done.length === 0 ? 'Nothing was changed.' : `Already applied: ${done.join(', ')}. Run it again to apply the rest.`;
    await sent(section, () => plan.send!({ dryRun: false, say }), so);
    done.push(section.title);
  }
}

async function sent({ title }: Section, send: () => Promise<void> | undefined, so: string): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (error instanceof CommandFailure) throw new CommandFailure(`${title}: ${error.message} ${so}`, error.lines);
    if (error instanceof RegistryProblem)
      throw new CommandFailure(
        `${title}: ${error.message} (${error.code}). ${so}`,
        error.errors.length > 1 ? error.errors.map(({ field, message }) => `${field === undefined ? '' : `${field}: `}${message}`) : [],
      );
    throw error;
  }
}
