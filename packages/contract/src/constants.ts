/** Every business constant of the specification, section 9 (and a few of sections 2 and 4), with its use. No other code may repeat these numbers. */
export const constants = {
  /** Sign-in client: `accessTokenExpiring` is raised this long before the access token expires. */
  accessTokenExpiringNotificationSeconds: 60,
  /** Sign-in client: sign-in requests older than this are removed from local storage. */
  staleSignInStateSeconds: 900,
  /** Sign-in client: timeout of a silent renewal. */
  silentRequestTimeoutSeconds: 10,
  /** Sign-in client: how often the session frame asks the provider whether the session changed. */
  sessionCheckIntervalSeconds: 2,
  /** Sign-in client: delay before a silent renewal that timed out is retried. */
  silentRenewRetrySeconds: 5,
  /** Sign-in client: maximum interval of its expiry timer. */
  timerTickSeconds: 5,
  /** Windows opened for sign-in by popup; we use redirects, the voting window has the same height. */
  popupHeight: 640,
  /** How often to check whether an opened popup was closed. */
  popupWatchIntervalMs: 500,
  /** Layout: at this width or less the navigation is a drawer and tables are cards. */
  mobileThresholdPx: 991,
  /** Error reporting: share of errors and traces that are sent. */
  errorSampleRate: 0.25,
  /** Error reporting: share of sessions that are recorded. */
  replaySampleRate: 0.1,
  /** Error reporting: share of sessions recorded once an error happened. */
  replayOnErrorSampleRate: 1,
  /** Error reporting: a new trace links to the previous one if that is younger than this. */
  previousTraceWindowSeconds: 3600,
  /** Error reporting: how long tracing waits until the framework is ready. */
  tracingFrameworkTimeoutMs: 2000,
  /** Shell: distance kept above an element that is scrolled to by hash. */
  hashScrollOffset: 10,
  /** Shell: the application-load signal is sent this long after start. */
  applicationLoadSignalMs: 30,
  /** Shell: base of the router's addresses. */
  routerBase: '/',
  /** Sign-in client: prefix of sign-in requests in local storage. Never used for our own keys. */
  stateStorePrefix: 'oidc.',
  /** Counts from here on are shortened with K, M, B. */
  shortCountSteps: { K: 1e3, M: 1e6, B: 1e9 },
} as const;
