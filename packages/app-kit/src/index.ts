/** Shared by the pages of all applications: session, reads and changes, refusals, drafts, personal settings, links, the frame around a page. */
export {
  type Act,
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
export { type BrowserApp, createBrowserApp, topBarHeight } from './browser/browser-app.ts';
export { useBrowserKit } from './browser/browser-kit.ts';
export { showUnavailable, startWithEnvironment } from './browser/start.ts';
export {
  type Change,
  type ChangeOptions,
  createAnswers,
  keepAnswer,
  reading,
  useAnswer,
  useChange,
  useDownload,
  useRead,
  useSteadyAnswer,
  useSteadyRead,
} from './calls/answer.ts';
export { dropKeptAnswers, keepAnswers, showsOnlyKept } from './first/kept-answers.ts';
export { dropInterruptedCall, markReturned } from './calls/interrupted-call.ts';
export { type PageReads, type Read, read, type ReadsOf, spare } from './calls/reads.ts';
export { createReturnedCalls } from './calls/returned-calls.ts';
export { whenComplete } from './first/whole.ts';
export { type Draft, useDraft } from './form/draft.ts';
export { DraftNote } from './form/DraftNote.tsx';
export {
  type FrameMessage,
  frameAddress,
  postMessage,
  readFrameMessage,
  readShellMessage,
  type ShellMessage,
} from './frame/frame-protocol.ts';
export { AppLink } from './page/AppLink.tsx';
export { ErrorWords } from './page/ErrorWords.tsx';
export { FailureBanner } from './page/FailureBanner.tsx';
export { KitProvider } from './page/KitProvider.tsx';
export { type Kit, KitContext, type Notice, useKit, usePlace, useQueryValue } from './kit/kit.ts';
export { Page, PageFrame, PageSkeleton, usePageTitle, useReading } from './page/Page.tsx';
export { PersonButton } from './page/PersonButton.tsx';
export { type RefusedBy, refusedBy } from './page/refusal.ts';
export { type KitRefusal, useRefusal, WhyNot } from './page/WhyNot.tsx';
export { watchIntent } from './first/ahead.ts';
export { savesData } from './first/connection.ts';
export { framedPath } from './first/early-frame.ts';
export { addressValues, changedSearch, type QueryChange, useAddress } from './place/address.ts';
export { type GoOptions, hrefOf, type Place, placeOf, type Router, samePlace } from './kit/place.ts';
export { elementOf, scrollOnArrival, scrollToPoint } from './place/scroll.ts';
export { onPaletteKey, paletteKeys } from './place/shortcut.ts';
export { type TablePlace, type TablePlaceOptions, type TableRows, tableRows, useTablePlace } from './place/table-place.ts';
export { createWatched, type Watched } from './place/watched.ts';
export { accountToSelect, selectableAccounts, storeAccountName, storedAccountName } from './session/selected-account.ts';
export { NoAccount, type Session, SessionContext, useAccount, useMaybeSession, useSession } from './session/session.ts';
export type { ThemeChoice } from './settings/theme.ts';
export { dateFormatOf, isTimeZone, useDateFormat, usePreferences, useTableState } from './settings/personal-settings.ts';
