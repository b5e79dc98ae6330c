/** The page of the register of customers and assignments. */
export const customersPath = '/resources/customers/customer_management';
