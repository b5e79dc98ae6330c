import { UserManager } from 'oidc-client-ts';

// Only passes the address of this frame to the parent page, which has the settings.
void new UserManager({
  authority: '-',
  client_id: '-',
  redirect_uri: '-',
  response_mode: 'query',
  automaticSilentRenew: false,
}).signinSilentCallback();
