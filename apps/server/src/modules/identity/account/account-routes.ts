import type { FastifyInstance } from 'fastify';
import { type AccountRoutesOptions, accountTools } from './account-tools.ts';
import { dataRoutes } from './data-routes.ts';
import { emailLinkRoutes } from './email-link-routes.ts';
import { emailRoutes } from './email-routes.ts';
import { erasureRoutes } from './erasure-routes.ts';
import { historyRoutes } from './history-routes.ts';
import { overviewRoutes } from './overview-routes.ts';
import { accountPasswordRoutes } from './password-routes.ts';
import { profileRoutes } from './profile-routes.ts';
import { sessionRoutes } from './session-routes.ts';

/** Registers the login's pages under `/account`: overview, profile, e-mail, password, sessions, sign-in history, copies of their data, erasure. */
export function accountRoutes(app: FastifyInstance, options: AccountRoutesOptions): void {
  const tools = { ...options, ...accountTools(options) };
  overviewRoutes(app, tools);
  profileRoutes(app, tools);
  emailRoutes(app, tools);
  emailLinkRoutes(app, tools);
  accountPasswordRoutes(app, tools);
  sessionRoutes(app, tools);
  historyRoutes(app, tools);
  dataRoutes(app, tools);
  erasureRoutes(app, tools);
}
