/** Control characters, and characters that reverse the text or are invisible: a name appears in mails and lists beside other words. */
const unreadable = /[\p{Cc}\p{Cs}\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;
/** Names in Persian and some emoji need the joiners; beside a space, or alone, they are just invisible. */
const joinsNothing = /(?:^|\s)[\u200c\u200d]|[\u200c\u200d](?:\s|$)/u;

/** Returns whether a name, in any script, is one line that reads as it is written. */
export const isReadable = (name: string): boolean => !unreadable.test(name) && !joinsNothing.test(name);
