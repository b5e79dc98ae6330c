import type { Environment } from '@portal/contract/shell/shell';

type ChatConfig = NonNullable<Environment['chat']>;
/** Who chats; the widget is prefilled with it (specification section 7). */
export type ChatPerson = { idToken: string; name: string; email: string; accountName: string | null };

type Widget = {
  settings: Record<string, unknown>;
  init: (core: string, community: string, gslb: string, org: string, config: string, merge: Record<string, unknown>) => void;
};
type TrustedPolicy = { createScriptURL: (address: string) => string };
type ChatWindow = Window & {
  embedded_svc?: Widget;
  trustedTypes?: { createPolicy: (name: string, rules: { createScriptURL: (address: string) => string }) => TrustedPolicy };
};

/** Only the script of the configured chat service may be loaded into the page. */
const onlyFrom = (core: string) => (address: string) => {
  if (new URL(address).origin !== new URL(core).origin) throw new TypeError(`${address} is not the chat service`);
  return address;
};

/** Loads the chat widget from its core address and starts it. Called only when the environment configures one and somebody is signed in. */
export function startChat(config: ChatConfig, person: ChatPerson, view: ChatWindow = window): Promise<void> {
  const script = view.document.createElement('script');
  const address = `${config.baseCoreURL}/embeddedservice/5.0/esw.min.js`;
  const rules = { createScriptURL: onlyFrom(config.baseCoreURL) };
  script.src = view.trustedTypes
    ? view.trustedTypes.createPolicy('portal-script', rules).createScriptURL(address)
    : rules.createScriptURL(address);
  return new Promise((resolve, reject) => {
    script.onerror = () => reject(new Error(`The chat could not be loaded from ${config.baseCoreURL}`));
    script.onload = () => {
      const widget = view.embedded_svc;
      if (!widget) return reject(new Error('The chat script did not bring the chat'));
      Object.assign(widget.settings, {
        displayHelpButton: true,
        language: 'en-US',
        prepopulatedPrechatFields: { Name: person.name, Email: person.email },
      });
      widget.settings['extraPrechatFormDetails'] = [
        { label: 'IdToken', value: person.idToken, displayToAgent: false },
        { label: 'Account', value: person.accountName ?? '', displayToAgent: true },
      ];
      widget.init(
        config.baseCoreURL,
        config.communityEndpointURL,
        config.gslbBaseURL,
        config.orgId,
        config.eswConfigDevName,
        config.mergeSettings,
      );
      resolve();
    };
    view.document.head.append(script);
  });
}
