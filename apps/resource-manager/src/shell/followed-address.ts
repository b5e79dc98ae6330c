/** What the person follows, in one list. */
export const hrefOfFollowed = '/resources/whois-updates-js/all?followed=yes';
