import type { Environment } from '@portal/contract/shell/shell';

type ChatConfig = NonNullable<Environment['chat']>;
/** The chatting person; the widget is prefilled with it (specification, section 7). */
export type ChatPerson = { idToken: string; name: string; email: string; accountName: string | null };

type Widget = {
  settings: Record<string, unknown>;
  init: (core: string, community: string, gslb: string, org: string, config: string, merge: Record<string, unknown>) => void;
};
type TrustedRules = { createScriptURL: (address: string) => string };
type ChatWindow = Window & {
  embedded_svc?: Widget;
  trustedTypes?: { createPolicy: (name: string, rules: TrustedRules) => TrustedRules };
};

/** The chat, once it runs. */
export type Chat = {
  /** Sets the chatting person; the widget reads it whenever a chat begins. */
  prefill: (person: ChatPerson) => void;
};

/** Only scripts of the configured chat service may be loaded into the page. */
function onlyFrom(hosts: readonly string[]): TrustedRules['createScriptURL'] {
  const origins = hosts.filter(host => URL.canParse(host)).map(host => new URL(host).origin);
  return address => {
    if (!origins.includes(new URL(address).origin)) throw new TypeError(`${address} is not the chat service`);
    return address;
  };
}

function prefill({ settings }: Widget, { name, email, idToken, accountName }: ChatPerson): void {
  settings['prepopulatedPrechatFields'] = { Name: name, Email: email };
  settings['extraPrechatFormDetails'] = [
    { label: 'IdToken', value: idToken, displayToAgent: false },
    { label: 'Account', value: accountName ?? '', displayToAgent: true },
  ];
}

/** Loads the chat widget from its core address and starts it. Called only if the environment configures one and a person is signed in. */
export function startChat(config: ChatConfig, person: ChatPerson, view: ChatWindow = window): Promise<Chat> {
  const script = view.document.createElement('script');
  // The widget loads its other scripts by plain URLs, which the default policy checks.
  const rules = { createScriptURL: onlyFrom([config.baseCoreURL, config.communityEndpointURL, config.gslbBaseURL]) };
  const policy = view.trustedTypes?.createPolicy('default', rules) ?? rules;
  script.src = policy.createScriptURL(`${config.baseCoreURL}/embeddedservice/5.0/esw.min.js`);
  return new Promise((resolve, reject) => {
    script.onerror = () => reject(new Error(`The chat could not be loaded from ${config.baseCoreURL}`));
    script.onload = () => {
      const widget = view.embedded_svc;
      if (!widget) return reject(new Error('The chat script did not bring the chat'));
      Object.assign(widget.settings, { displayHelpButton: true, language: 'en-US' });
      prefill(widget, person);
      widget.init(
        config.baseCoreURL,
        config.communityEndpointURL,
        config.gslbBaseURL,
        config.orgId,
        config.eswConfigDevName,
        config.mergeSettings,
      );
      resolve({ prefill: next => prefill(widget, next) });
    };
    view.document.head.append(script);
  });
}
