/**
 * State of a reverse zone. `ok`: delegated, and its servers answered the last check. `warning`: they answer, with faults. `lame`: a server does not answer
 * with authority. `unchecked`: delegated, not checked yet. `missing`: not delegated. `covered`: inside a delegated zone. `partly`: only zones inside it are
 * delegated.
 */
export const zoneStates = ['ok', 'warning', 'lame', 'unchecked', 'missing', 'covered', 'partly'] as const;
/** Those of a delegated zone: what the last check of its name servers found. */
export const foundStates = ['ok', 'warning', 'lame', 'unchecked'] as const satisfies readonly (typeof zoneStates)[number][];
export type FoundState = (typeof foundStates)[number];
export type ZoneState = (typeof zoneStates)[number];
