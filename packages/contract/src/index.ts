/**
 * Shared by all: how an endpoint is declared and its types, who may call it, and the refusals. Everything else is imported from its own file,
 * `@portal/contract/<module>/<file>`, so that a page loads nothing of other modules.
 */
export * from './endpoint.ts';
export * from './errors.ts';
export * from './flags.ts';
export * from './permissions.ts';
export * from './staff-permissions.ts';
