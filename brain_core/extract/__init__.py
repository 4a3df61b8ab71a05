"""What messages say that is worth remembering: rules, English and Chinese, no model."""
