import { mailTexts } from '../mail/index.ts';

const words = {
  subject: '{title}',
  body: ['{body}'],
  samples: { title: 'Check who acts for EXAMPLE-AU', body: 'Some of it has not been confirmed for a year.' },
} as const;

/** The texts of the mails of this module, unless registry staff change them: one for each topic of campaigns, whose words are those of the campaign. */
export const dataQualityTexts = mailTexts('data-quality', {
  campaign: { topic: 'contacts.review', ...words },
  campaignAboutIrt: { topic: 'whois.irt', ...words },
  campaignAboutRoutes: { topic: 'routes.alerts', ...words },
  campaignAboutZones: { topic: 'reverseDns.zones', ...words },
  campaignAboutOrganisation: { topic: 'organisation.changes', ...words },
  campaignAboutInvoices: { topic: 'billing.invoices', ...words },
  campaignInOwnWords: { topic: 'announcements.news', ...words },
});

/** The kind of mail of a campaign, by its topic. */
export const campaignKinds = {
  'contacts.review': 'campaign',
  'whois.irt': 'campaignAboutIrt',
  'routes.alerts': 'campaignAboutRoutes',
  'reverseDns.zones': 'campaignAboutZones',
  'organisation.changes': 'campaignAboutOrganisation',
  'billing.invoices': 'campaignAboutInvoices',
  'announcements.news': 'campaignInOwnWords',
} as const;
