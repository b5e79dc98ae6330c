/** What the pages of both applications stand on: session, reads and changes, refusals, drafts, personal settings, links, the frame around a page. */
export {
  type AnyEndpoint,
  type CallAnswer,
  type CallInput,
  type Challenge,
  type Client,
  createClient,
  type RefusedCall,
  type SavedFile,
  ServiceFailure,
} from '@portal/api-client';
export { type Change, type ChangeOptions, createAnswers, reading, useAnswer, useChange, useDownload, useSteadyAnswer } from './answer.ts';
export { AppLink } from './AppLink.tsx';
export { type Arrival, createBrowserRouter } from './browser-router.ts';
export { type Draft, useDraft } from './draft.ts';
export { ErrorWords } from './ErrorWords.tsx';
export { type Kit, KitContext, type Notice, useKit, usePlace, useQueryValue } from './kit.ts';
export { KitProvider } from './KitProvider.tsx';
export { Page, PageFrame, PageSkeleton, usePageTitle, useReading } from './Page.tsx';
export { dateFormatOf, isTimeZone, useDateFormat, usePreferences, useTableState } from './personal-settings.ts';
export { createPreferences, localPreferences, type Preferences } from './preferences.ts';
export { type GoOptions, hrefOf, type Place, placeOf, type Router, samePlace } from './place.ts';
export { changedSearch, type QueryChange, useAddress } from './address.ts';
export { type RefusedBy, refusedBy } from './refusal.ts';
export { NoAccount, type Session, SessionContext, useAccount, useMaybeSession, useSession } from './session.ts';
export { type KitRefusal, useRefusal, WhyNot } from './WhyNot.tsx';
export { keepInterruptedCall, dropInterruptedCall } from './interrupted-call.ts';
export {
  type FrameMessage,
  frameAddress,
  framedPath,
  postMessage,
  readFrameMessage,
  readShellMessage,
  type ShellMessage,
  type ThemeChoice,
} from './frame-protocol.ts';
export { elementOf, scrollOnArrival, scrollToPoint } from './scroll.ts';
export { accountToSelect, selectableAccounts, storeAccountName, storedAccountName } from './selected-account.ts';
export { navigationShortcut } from './shortcut.ts';
export { type TablePlace, type TablePlaceOptions, useTablePlace } from './table-place.ts';
export { useSavedTheme } from './saved-theme.ts';
