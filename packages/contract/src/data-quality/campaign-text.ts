/** Words in braces that are filled in for each person. */
export const campaignWords = {
  name: 'the person’s name',
  accounts: 'their accounts that the finding is about',
  organisations: 'the organisations of these accounts',
  count: 'how many there are, such as 2 mailboxes',
  list: 'one line for each of the first ten',
  registry: 'the registry’s name',
} as const;
export type CampaignWord = keyof typeof campaignWords;
export const campaignWordNames = Object.keys(campaignWords) as CampaignWord[];

const inBraces = /\{([^{}\n]*)\}/g;
const isWord = (name: string): name is CampaignWord => Object.hasOwn(campaignWords, name);

/** Returns words in braces that are not filled in, as written. */
export const unknownCampaignWords = (text: string): string[] =>
  [...text.matchAll(inBraces)].flatMap(([written, name]) => (isWord(name!) ? [] : [written]));

/** Fills in the words of a text. Their values are taken as they are: braces within them stay. */
export const fillCampaign = (text: string, values: Readonly<Record<CampaignWord, string>>): string =>
  text.replace(inBraces, (written, name: string) => (isWord(name) ? values[name] : written));
