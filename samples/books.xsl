<?xml version="1.0"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output method="xml" indent="yes" omit-xml-declaration="yes"/>
  <xsl:param name="below" select="1000"/>

  <xsl:template match="/">
    <books>
      <xsl:apply-templates select="//li[@class = 'book'][span[@class = 'price'] &lt; $below]"/>
    </books>
  </xsl:template>

  <xsl:template match="li">
    <book isbn="{@data-isbn}" price="{span[@class = 'price']}">
      <xsl:value-of select="h3"/>
    </book>
  </xsl:template>
</xsl:stylesheet>
