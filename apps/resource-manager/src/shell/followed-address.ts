/** Address of the list of followed objects. */
export const hrefOfFollowed = '/resources/whois-updates-js/all?followed=yes';
