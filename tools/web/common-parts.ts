import path from 'node:path';
import { root } from '../root.ts';

/** Modules of the portal's first calls, so that those don't wait for other code. */
export const earlyParts: readonly string[] = [
  'packages/contract/src/trace.ts',
  // Part of the sign-in, which starts before the portal's code has loaded.
  'packages/contract/src/constants.ts',
  'packages/contract/src/link.ts',
  'packages/contract/src/shell/own-provider.ts',
  'packages/app-kit/src/auth/stored-user.ts',
  'packages/app-kit/src/auth/tab-session.ts',
  'packages/app-kit/src/auth/early-session.ts',
  'packages/app-kit/src/session/environment.ts',
  'packages/app-kit/src/place/early-frame.ts',
  'packages/app-kit/src/screen/shown-picture.ts',
  'packages/app-kit/src/calls/reads-ahead.ts',
  'packages/app-kit/src/session/selected-account.ts',
  'packages/app-kit/src/calls/kept-answers.ts',
  'packages/app-kit/src/calls/open-pages.ts',
  'packages/app-kit/src/place/load-code.ts',
  'packages/app-kit/src/place/connection.ts',
  'packages/app-kit/src/place/first-script.ts',
  'packages/app-kit/src/kit/answer-age.ts',
  'packages/app-kit/src/kit/device-storage.ts',
  'packages/ui/src/code/with-retries.ts',
  'packages/app-kit/src/settings/preferences.ts',
];

/** Folders and files that every page uses, in one file of the web build. Everything else is loaded on first use. */
export const commonParts: readonly string[] = [
  'packages/api-client/src',
  'packages/ui/src/action',
  'packages/ui/src/form',
  'packages/ui/src/layout',
  'packages/ui/src/message',
  'packages/ui/src/shell',
  'packages/ui/src/text',
  'packages/app-kit/src/browser',
  'packages/app-kit/src/calls',
  'packages/app-kit/src/form/DraftNote.tsx',
  'packages/app-kit/src/form/draft.ts',
  'packages/app-kit/src/frame',
  'packages/app-kit/src/kit',
  'packages/app-kit/src/page',
  'packages/app-kit/src/place',
  'packages/app-kit/src/session',
  'packages/app-kit/src/settings',
  'packages/app-kit/src/words/account-words.ts',
  'packages/app-kit/src/index.ts',
  'packages/app-kit/src/auth/auth.ts',
  'packages/app-kit/src/auth/auth-store.ts',
  'packages/app-kit/src/auth/expiry.ts',
  'packages/app-kit/src/auth/guard.ts',
  'packages/app-kit/src/auth/idleness.ts',
  'packages/app-kit/src/auth/provider-library.ts',
  'packages/app-kit/src/auth/redirects.ts',
  'packages/app-kit/src/auth/scrubbed.ts',
  'packages/app-kit/src/auth/session-life.ts',
  'packages/app-kit/src/auth/sign-in-error.ts',
  'packages/app-kit/src/auth/sign-out.ts',
];

/** Parts in folders of those that are a file of their own, what is shown after a change is loaded then, and what stays with the only application that starts with it. */
export const ownParts: readonly string[] = [
  'packages/app-kit/src/page/AsApiCall.tsx',
  'packages/app-kit/src/calls/api-call.ts',
  'packages/app-kit/src/page/AskForPermission.tsx',
  'packages/app-kit/src/page/ReturnedCall.tsx',
  'packages/app-kit/src/page/SignInProblemPage.tsx',
  'packages/app-kit/src/step-up/StepUpDialog.module.css',
  'packages/app-kit/src/step-up/CodeInput.module.css',
  'apps/desk/src/NoPage.tsx',
];

/** Common parts that no application shows when it starts: they load with the first page that has a table or a form. */
export const laterParts: readonly string[] = [
  // The messages of two refusals that the contacts page shows in advance.
  'packages/contract/src/contacts/errors.ts',
  'packages/app-kit/src/form/DraftNote.tsx',
  'packages/app-kit/src/form/draft.ts',
  'packages/app-kit/src/place/table-place.ts',
  'packages/ui/src/form/Checkbox.tsx',
  'packages/ui/src/form/Checkbox.module.css',
  'packages/ui/src/form/Field.tsx',
  'packages/ui/src/form/Field.module.css',
  'packages/ui/src/form/Select.tsx',
  'packages/ui/src/form/Select.module.css',
  'packages/ui/src/form/Switch.tsx',
  'packages/ui/src/form/Switch.module.css',
  'packages/ui/src/layout/Steps.tsx',
  'packages/ui/src/layout/Steps.module.css',
  'packages/ui/src/layout/Tabs.tsx',
  'packages/ui/src/layout/Tabs.module.css',
  'packages/ui/src/layout/SideDialog.tsx',
  'packages/ui/src/layout/SideDialog.module.css',
  'packages/ui/src/message/ErrorSummary.tsx',
  'packages/ui/src/message/ErrorSummary.module.css',
  'packages/ui/src/message/Receipt.tsx',
  'packages/ui/src/message/Receipt.module.css',
  'packages/ui/src/text/KeyValueList.tsx',
  'packages/ui/src/text/KeyValueList.module.css',
  'packages/ui/src/text/ProgressBar.tsx',
  'packages/ui/src/text/ProgressBar.module.css',
  'packages/ui/src/layout/Disclosure.tsx',
  'packages/ui/src/layout/Disclosure.module.css',
];

/** Returns whether a module of the build is one of the parts or in a folder of them; the query of a style sheet's module does not count. */
export function isPartOf(parts: readonly string[], module: string): boolean {
  const file = path.relative(root, module.replace(/\?.*$/, '')).replaceAll(path.sep, '/');
  return parts.some(part => file === part || file.startsWith(`${part}/`));
}
