import type { ObjectPlan, plannedObjects, RequestForm } from '@portal/contract/requests/request-form';

export type PlannedKind = (typeof plannedObjects)[number];

/** The plan for an object of a kind without a choice. Sets named below an AS number move with it, because other networks filter by them. */
function usualPlan(form: Pick<RequestForm, 'withRoas' | 'withRegistrations'>, what: PlannedKind, name: string): ObjectPlan {
  if (what === 'whois' && /^as\d+:/i.test(name)) return 'move';
  if (what === 'contact' || what === 'geofeed') return 'end';
  return (what === 'roa' ? form.withRoas : form.withRegistrations) ? 'move' : 'end';
}

/** The plan for one object: its own, or the default of its kind. */
export const planFor = (form: RequestForm, what: PlannedKind, name: string): ObjectPlan =>
  form.plans.find(plan => plan.what === what && plan.name === name)?.act ?? usualPlan(form, what, name);

/** Whether an object moves along, permanently or temporarily. */
export const movesWithTransfer = (form: RequestForm, what: PlannedKind, name: string): boolean => planFor(form, what, name) !== 'end';

/** The kind of a member's whois object in a plan. */
export const kindOfObject = (objectClass: string): 'reverse' | 'route' | 'whois' =>
  objectClass === 'domain' ? 'reverse' : objectClass.startsWith('route') ? 'route' : 'whois';
